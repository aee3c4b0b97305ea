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

/**
 * By the state of an entry, so that any number of queries share it. In many maps: one of a million entries would hold the
 * event loop each time it grows.
 */
const texts = Array.from({ length: 64 }, () => new WeakMap<ListedGameServer, string>());

/** What is searched of a game server. No word can reach from one field into the next: no word has a line feed. */
export function searchTextOf(row: ListedGameServer): string {
  const known = texts[row.registeredVersion % texts.length]!;
  let text = known.get(row);
  if (text === undefined) {
    const { map = '', mode = '', tags = [] } = row.details.fields;
    text = foldForSearch(`${row.name}\n${map}\n${mode}\n${tags.join('\n')}`);
    known.set(row, text);
  }
  return text;
}
