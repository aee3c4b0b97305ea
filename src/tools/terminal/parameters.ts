/**
 * The parameters of `GET /servers` as words of a command line: `region=eu`, or several as a query string. What they
 * mean, and whether they are right, is for the service to say.
 */

/** The characters that a URL cannot have unescaped. */
const NOT_IN_A_QUERY = /[^\x21-\x7e]|["#<>\\^`{|}]|%(?![\da-f]{2})/giu;

/** The raw query string of the words; throws an Error that names a word without a parameter. */
export function queryOfWords(words: readonly string[]): string {
  return words.flatMap(pairsOf).join('&');
}

function pairsOf(word: string): readonly string[] {
  const pairs = word
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '');
  for (const pair of pairs)
    if (!/^[^=]+=/.test(pair)) throw new Error(`"${word}" is no parameter: write it like region=eu`);
  return pairs.map((pair) => pair.replaceAll(NOT_IN_A_QUERY, percentEncoded));
}

function percentEncoded(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');
}

/** The value of the parameter as it is written, and the query without it. */
export function takeParameter(
  query: string,
  name: string,
): { readonly value?: string; readonly rest: string } {
  const pairs = query.split('&').filter((pair) => pair !== '');
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
  if (own.length !== 1) return { rest: query };
  return {
    value: own[0]!.slice(name.length + 1),
    rest: pairs.filter((pair) => pair !== own[0]).join('&'),
  };
}
