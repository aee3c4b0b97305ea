/** JSON values of unknown origin, before their form is known. This file knows nothing of their meaning. */

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the value is an object of JSON: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of a text that is an object of JSON; none of any other text, such as the page of a proxy. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

/** Whether the value can go into a URL: a text of JSON may hold half a character, which no URL can carry. */
export function isTextForUrl(value: unknown): value is string {
  return typeof value === 'string' && !/\p{Surrogate}/u.test(value);
}
