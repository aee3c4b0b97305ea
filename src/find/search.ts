/**
 * The search for words in what people read of a game server. Case and accents do not count. Knows nothing of queries
 * and their cache.
 */

import type { ListedGameServer } from '../registry/game-server.ts';
import { fold } from '../registry/glob.ts';

const MARKS = /\p{M}/gu;
const ASCII = /^[\0-\x7f]*$/;

/** Folded as in globs, and without accents. */
export function foldForSearch(text: string): string {
  const folded = fold(text);
  return ASCII.test(folded) ? folded : folded.normalize('NFKD').replaceAll(MARKS, '');
}

/** The words of a search, each once, in one order. None is empty. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldForSearch(text).split(/\s+/))].filter((word) => word !== '').toSorted();
}

/** By the state of an entry: a change of the number of players folds one text anew, and any number of queries share it. */
const texts = new WeakMap<ListedGameServer, string>();

/** What is searched of a game server. No word can reach from one field into the next: no word has a line feed. */
export function searchTextOf(row: ListedGameServer): string {
  let text = texts.get(row);
  if (text === undefined) {
    const { map, mode, tags } = row.details.fields;
    text = foldForSearch([row.name, map, mode, ...(tags ?? [])].join('\n'));
    texts.set(row, text);
  }
  return text;
}
