/** The search for words in what people read of a game server. Case and accents do not count. */

import type { DetailFields } from '../fields/detail-fields.ts';
import { comparableName } from '../fold.ts';

/** The words of a search. None is empty. */
export function wordsOf(text: string): readonly string[] {
  return comparableName(text)
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** What is searched of a game server. No word can reach from one field into the next: no word has a line feed. */
export function searchedText(
  name: string,
  { map = '', mode = '', tags = [] }: Pick<DetailFields, 'map' | 'mode' | 'tags'>,
): string {
  return comparableName(`${name}\n${map}\n${mode}\n${tags.join('\n')}`);
}
