/** Texts of old games, cleaned for lists and pages. Their own lists get them as they are. */

/** Of the Quake 3 family: `^1` and the like; `^xF00` of those that took it further. */
const COLOUR_CODES = /\^(?:x[\da-f]{3}|[\da-z])/gi;
/** Controls, and what turns the direction of other text around; lone halves of a pair. */
const HARMFUL = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** The text as a person reads it: one line, at most so many UTF-16 units. Empty if nothing is left of it. */
export function cleanText(text: string, mostLength: number): string {
  const cleaned = text.replaceAll(COLOUR_CODES, '').replaceAll(HARMFUL, ' ').replaceAll(/\s+/gu, ' ').trim();
  if (cleaned.length <= mostLength) return cleaned;
  return cleaned
    .slice(0, mostLength)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}
