/** A text of a stranger in a sentence for a person: one short line that harms no terminal. */

import { printable } from '../../../model/printable.ts';

/** The longest line, in UTF-16 units. */
const LONGEST = 160;

/** The first line that says something, cut and printable; '' if there is none. */
export function printableLine(text: string): string {
  const line = text
    .slice(0, 8 * LONGEST)
    .split(/[\r\n]+/)
    .map((each) => each.trim())
    .find((each) => each !== '');
  if (line === undefined) return '';
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
  return printable(cut);
}
