/** Texts as people read them: those that read alike become equal. For comparison alone, never for what is shown. */

/** The name is that of the Unicode Character Database. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

const ASCII = /^[\0-\x7f]*$/;
const MARKS = /\p{M}/gu;

/**
 * The text without what people do not see: upper and lower case, full-width and other compatibility forms, characters
 * without a glyph. Much as toNFKC_Casefold of the Unicode Standard, with the case mappings of the engine.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = text.normalize('NFKC').replaceAll(IGNORABLE, '');
  // By way of upper case, in which ß is SS. Back character by character: the lower case of a sigma depends on its
  // place.
  let folded = '';
  for (const character of composed.toLowerCase().toUpperCase()) folded += character.toLowerCase();
  return folded.normalize('NFKC');
}

/** A name as people read it: folded, without marks such as accents. */
export function comparableName(text: string): string {
  const folded = fold(text);
  return ASCII.test(folded) ? folded : folded.normalize('NFKD').replaceAll(MARKS, '');
}
