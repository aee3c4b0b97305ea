/**
 * The search for words in what people read of a game server, as the service does it: case, accents and characters
 * without a glyph do not count.
 */

import type { ListedServer as GameServer } from '../connection/messages.ts';

const ASCII = /^[\0-\x7f]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const MARKS = /\p{M}/gu;

/** Texts that read alike become equal. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const composed = text.normalize('NFKC').replace(IGNORABLE, '');
  // By way of upper case, in which ß is SS. The lower case of a sigma depends on its place: both are one letter.
  const folded = composed.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.normalize('NFKC').normalize('NFKD').replace(MARKS, '');
}

/** The words of a search. None is empty. */
export function wordsOf(text: string): readonly string[] {
  return fold(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** What is searched of a game server. No word can reach from one field into the next: no word has a line feed. */
export function searchTextOf({ name, map = '', mode = '', tags = [] }: GameServer): string {
  return fold(`${name}\n${map}\n${mode}\n${tags.join('\n')}`);
}
