/**
 * Finds among many globs those that may match a text, in a time that grows with the text and hardly with the number of
 * globs: each is filed under a few characters that every text it matches must hold. The index does not know what globs
 * are for.
 */

import type { Glob } from './glob.ts';

/** The length of a piece in characters. Longer pieces would be rarer, but shorter globs would have none of them. */
const PIECE_LENGTH = 3;

/** How many pieces of a long glob are considered; any one is enough to file it under. */
const MOST_PIECES = 32;

export class GlobIndex<T> {
  readonly #byText = new Map<string, T[]>();
  readonly #byPiece = new Map<string, T[]>();
  /** The lengths of the pieces in use. */
  readonly #lengths: readonly number[];

  /** Values that share a text or a piece keep the order in which they are given here. */
  constructor(globs: Iterable<readonly [Glob, T]>) {
    const pieces = new Map<readonly string[], T>();
    const frequencies = new Map<string, number>();
    for (const [glob, value] of globs) {
      if (glob.isExact) add(this.#byText, glob.literals[0]!, value);
      else {
        const all = piecesOf(glob);
        pieces.set(all, value);
        for (const piece of all) frequencies.set(piece, (frequencies.get(piece) ?? 0) + 1);
      }
    }
    // Each glob is filed under its rarest piece: many globs may have one word in common.
    for (const [all, value] of pieces)
      add(
        this.#byPiece,
        all.reduce((rarest, piece) => (frequencies.get(piece)! < frequencies.get(rarest)! ? piece : rarest)),
        value,
      );
    this.#lengths = [...new Set([...this.#byPiece.keys()].map((piece) => piece.length))];
  }

  get isEmpty(): boolean {
    return this.#byText.size === 0 && this.#byPiece.size === 0;
  }

  /** Lists with the values of all globs that match the folded text, and of some that do not. */
  candidates(folded: string): readonly (readonly T[])[] {
    const exact = this.#byText.get(folded);
    const found = exact === undefined ? [] : [exact];
    for (const length of this.#lengths)
      for (let at = 0; at + length <= folded.length; at += 1) {
        const list = this.#byPiece.get(folded.slice(at, at + length));
        if (list !== undefined && !found.includes(list)) found.push(list);
      }
    return found;
  }
}

/** The pieces of its literals. They are shorter than PIECE_LENGTH only if its longest literal is. */
function piecesOf({ literals }: Glob): string[] {
  const length = Math.min(PIECE_LENGTH, Math.max(...literals.map((literal) => literal.length)));
  const pieces = new Set<string>();
  for (const literal of literals)
    for (let at = 0; at + length <= literal.length && pieces.size < MOST_PIECES; at += 1)
      pieces.add(literal.slice(at, at + length));
  return [...pieces];
}

function add<Key, T>(lists: Map<Key, T[]>, key: Key, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
