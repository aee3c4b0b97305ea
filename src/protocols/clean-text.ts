/**
 * Cleans texts of old games for lists and pages by the rules for broadcasts. The lists of the games themselves have the
 * texts as they came.
 */

import { cleared } from '../model/text-rules.ts';

/** Colours of the Quake 3 family: `^1` and the like; `^xF00` in games that extended them. */
const COLOUR_CODES = /\^(?:x[\da-f]{3}|[\da-z])/gi;

/** The text as a game of the Quake 3 family shows it, without the colours. */
export function withoutColours(text: string): string {
  return text.replaceAll(COLOUR_CODES, '');
}

/** How many times the shown length of a text is read: a stranger may have sent as much as fits a packet. */
const LOOKED_AT = 8;

/** The text as a person reads it: one line of at most `mostLength` UTF-16 units. '' if nothing visible is left. */
export function cleanText(text: string, mostLength: number): string {
  const cleaned = cleared(text.slice(0, LOOKED_AT * mostLength));
  if (cleaned.length <= mostLength) return cleaned;
  return cleared(cleaned.slice(0, mostLength).replace(/[\ud800-\udbff]$/, ''));
}
