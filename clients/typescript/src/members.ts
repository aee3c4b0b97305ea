import { isRecord, parseJson } from '../../../src/model/json.ts';

/** Whether the value can go into a URL: a text of JSON may hold half a character, which no URL can carry. */
export function isTextForUrl(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}

/** The members of a text that is an object of JSON; none of any other text, such as the page of a proxy. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}
