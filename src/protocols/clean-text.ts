/**
 * Texts of old games, cleaned for lists and pages by the rules that a broadcast has to keep. Their own lists get them
 * as they are.
 */

import { cleared } from '../model/text-rules.ts';

/** Of the Quake 3 family: `^1` and the like; `^xF00` of those that took it further. */
const COLOUR_CODES = /\^(?:x[\da-f]{3}|[\da-z])/gi;

/** The text as a game of the Quake 3 family shows it, but for the colours. */
export function withoutColours(text: string): string {
  return text.replaceAll(COLOUR_CODES, '');
}

/** Of a longer text no more is looked at than so many times what is shown: it may be all a stranger can send. */
const LOOKED_AT = 8;

/** The text as a person reads it: one line, at most so many UTF-16 units. Empty if nothing is left that shows. */
export function cleanText(text: string, mostLength: number): string {
  const cleaned = cleared(text.slice(0, LOOKED_AT * mostLength));
  if (cleaned.length <= mostLength) return cleaned;
  return cleared(cleaned.slice(0, mostLength).replace(/[\ud800-\udbff]$/, ''));
}
