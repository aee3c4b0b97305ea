/** Texts in a form in which those that read alike are equal. The form is for comparison alone, and is never shown. */

/** The name is that of the Unicode Character Database. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;

/**
 * The text without differences that people do not see: upper and lower case, full-width and other compatibility forms,
 * characters without a glyph. It is much like toNFKC_Casefold of Unicode, with the case mappings of the engine.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = text.normalize('NFKC').replaceAll(IGNORABLE, '');
  // The text goes through upper case, in which ß is SS. It goes back character by character, because the lower case of
  // a sigma depends on its place.
  let folded = '';
  for (const character of composed.toLowerCase().toUpperCase()) folded += character.toLowerCase();
  return folded.normalize('NFKC');
}

/** A name as people read it: folded, without marks such as accents. */
export function comparableName(text: string): string {
  const folded = fold(text);
  return ASCII.test(folded) ? folded : folded.normalize('NFKD').replaceAll(MARKS, '');
}
