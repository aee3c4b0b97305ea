/** Globs: texts with `*` for any characters and `?` for exactly one. Texts are compared as people read them. */

import { fold } from '../../model/fold.ts';

/** Undefined is `?`. */
type GlobPart = readonly (string | undefined)[];

export interface Glob {
  /** Folded. The text has to hold all of them, in this order. */
  readonly literals: readonly string[];
  /** Without `*` and `?`: a text matches only if it is, folded, the one literal. */
  readonly isExact: boolean;
  /** Whether it matches the text, which has been folded. Its time grows with the length of text and glob alone. */
  matches(folded: string): boolean;
}

/**
 * Undefined for a glob without any character to compare, which matches (nearly) every text. `foldText`: how texts are
 * folded that it is compared with.
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

/** The first part begins the text, the last part ends it, and each other one is taken where it comes first. */
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

/** Where the part ends that begins here. Undefined if it does not. */
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

/** Where the part ends that begins first from here on. */
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

/** Where the part begins that ends the text. */
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

/** A character beyond U+FFFF takes two places. */
function widthAt(text: string, at: number): number {
  return text.codePointAt(at)! > 0xffff ? 2 : 1;
}
