import { isRecord, parseJson } from '../../../src/model/json.ts';

/** The members of a text that is an object of JSON; none of any other text, such as the page of a proxy. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}
