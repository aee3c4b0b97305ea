/** The search for words in the texts of a game server that people read. Case and accents do not count. */

import type { DetailFields } from '../fields/detail-fields.ts';
import { comparableName } from '../fold.ts';

/** The words of a search, none of them empty. */
export function wordsOf(text: string): readonly string[] {
  return comparableName(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** The text of a game server in which words are searched. No word spans two fields, since none has a line feed. */
export function searchedText(
  name: string,
  { map = '', mode = '', tags = [] }: Pick<DetailFields, 'map' | 'mode' | 'tags'>,
): string {
  return comparableName(`${name}\n${map}\n${mode}\n${tags.join('\n')}`);
}
