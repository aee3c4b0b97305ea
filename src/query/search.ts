/** The search for words in what people read of a game server. Case and accents do not count. */

import type { ListedGameServer } from '../registry/game-server.ts';
import { comparableName } from '../registry/fold.ts';

/** The words of a search, each once, in one order. None is empty. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(comparableName(text).split(/\s+/))].filter((word) => word !== '').toSorted();
}

/**
 * By the state of an entry, so that any number of queries share it. In many maps: one of a million entries would hold
 * the event loop each time it grows.
 */
const texts = Array.from({ length: 64 }, () => new WeakMap<ListedGameServer, string>());

/** What is searched of a game server. No word can reach from one field into the next: no word has a line feed. */
export function searchTextOf(row: ListedGameServer): string {
  const known = texts[row.registeredVersion % texts.length]!;
  let text = known.get(row);
  if (text === undefined) {
    const { map = '', mode = '', tags = [] } = row.details.fields;
    text = comparableName(`${row.name}\n${map}\n${mode}\n${tags.join('\n')}`);
    known.set(row, text);
  }
  return text;
}
