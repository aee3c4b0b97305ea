/** The members of a text that is an object of JSON; none of any other text, such as the page of a proxy. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // It is no JSON.
  }
  return {};
}
