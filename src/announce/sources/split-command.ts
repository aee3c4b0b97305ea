/**
 * The words of a command as a person writes it: `PROGRAM ARGS` with simple quotes. No shell, so nothing else is
 * special.
 */

/**
 * Words are parted by spaces. What stands between two `"` or two `'` belongs to one word, spaces and the other kind of
 * quote included. A backslash is a backslash, so that paths of Windows stay what they are.
 * Throws an Error whose message completes "--exec …".
 */
export function splitCommand(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const letter of text) {
    if (letter === quote) quote = undefined;
    else if (quote !== undefined) word += letter;
    else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (!/\s/.test(letter)) word = (word ?? '') + letter;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (quote !== undefined) throw new Error(`must close its quote ${quote}`);
  if (word !== undefined) words.push(word);
  if (words[0] === undefined || words[0] === '') throw new Error('must name a program');
  if (text.includes('\0')) throw new Error('must not hold a zero byte');
  return words;
}
