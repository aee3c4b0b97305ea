/** Globs: patterns with `*` for any characters and `?` for exactly one. Texts are folded before they are compared. */

import { fold } from '../../model/fold.ts';

/** The literals between two `*`; undefined stands for a `?`. */
type GlobPart = readonly (string | undefined)[];

export interface Glob {
  /** The folded texts between `*` and `?`. A text must hold all of them, in this order. */
  readonly literals: readonly string[];
  /** Whether the glob has no `*` and no `?`: then a folded text matches only if it equals the one literal. */
  readonly isExact: boolean;
  /** Whether it matches the folded text. The time this takes grows with the length of text and glob alone. */
  matches(folded: string): boolean;
}

/**
 * Parses a glob; returns undefined if it has no character to compare, and thus matches (nearly) every text. `foldText`
 * must fold as the caller folds the texts to compare.
 */
export function parseGlob(pattern: string, foldText = fold): Glob | undefined {
  const parts = pattern.split('*').map((part) => partOf(part, foldText));
  const literals = parts.flat().filter((each) => each !== undefined);
  if (literals.length === 0) return undefined;
  const isExact = parts.length === 1 && parts[0]!.length === 1;
  return {
    literals,
    isExact,
    matches: isExact ? (folded) => folded === literals[0] : (folded) => matchesParts(parts, folded),
  };
}

/** The literals of a part and its `?`, in order. */
function partOf(text: string, foldText: (text: string) => string): GlobPart {
  return text
    .split('?')
    .flatMap((literal, index) => [...(index > 0 ? [undefined] : []), ...literalOf(foldText(literal))]);
}

function literalOf(folded: string): string[] {
  return folded === '' ? [] : [folded];
}

/** Whether the first part begins the text, the last ends it, and the others lie between, each at its first place. */
function matchesParts(parts: readonly GlobPart[], text: string): boolean {
  let at = endOfPart(parts[0]!, text, 0);
  if (parts.length === 1) return at === text.length;
  for (const part of parts.slice(1, -1)) {
    if (at === undefined) return false;
    at = endOfFirst(part, text, at);
  }
  if (at === undefined) return false;
  const last = startOfLast(parts.at(-1)!, text);
  return last !== undefined && last >= at;
}

/** The end of the part if it begins at `start`, else undefined. */
function endOfPart(part: GlobPart, text: string, start: number): number | undefined {
  let at = start;
  for (const piece of part) {
    if (piece === undefined) {
      if (at >= text.length) return undefined;
      at += widthAt(text, at);
    } else if (text.startsWith(piece, at)) at += piece.length;
    else return undefined;
  }
  return at;
}

/** The end of the first occurrence of the part at `start` or later; undefined without one. */
function endOfFirst(part: GlobPart, text: string, start: number): number | undefined {
  if (part.length === 0) return start;
  const [first] = part;
  let at = start;
  while (at <= text.length) {
    if (first !== undefined) {
      at = text.indexOf(first, at);
      if (at === -1) return undefined;
    }
    const end = endOfPart(part, text, at);
    if (end !== undefined) return end;
    at += widthAt(text, at);
  }
  return undefined;
}

/** The start of the part if the text ends with it, else undefined. */
function startOfLast(part: GlobPart, text: string): number | undefined {
  let at = text.length;
  for (const piece of part.toReversed()) {
    if (piece === undefined) {
      if (at === 0) return undefined;
      at -= at >= 2 && text.codePointAt(at - 2)! > 0xffff ? 2 : 1;
    } else if (text.endsWith(piece, at)) at -= piece.length;
    else return undefined;
  }
  return at;
}

/** The number of UTF-16 units of the character at `at`: two beyond U+FFFF, else one. */
function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
