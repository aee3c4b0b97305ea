/** What a file of JSON says of an option, in the texts that a parser of options takes. Knows no option. */

/**
 * Undefined for null, which is not said. A list is what a repeated flag is. Throws an Error that names the word for a
 * list in a list.
 */
export function textsOf(word: string, value: unknown): readonly string[] | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return [textOf(value)];
  if (value.some((each) => Array.isArray(each))) throw new Error(`"${word}" must be no list of lists`);
  return value.map(textOf);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
