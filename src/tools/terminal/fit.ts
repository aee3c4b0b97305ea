/** Texts cut and filled to a number of columns. */

import { charactersOf, widthOf } from './widths.ts';

/** The most UTF-16 units of a text that are looked at: the rest is never shown. */
const MOST_UNITS = 1000;

/** The first half of a character that was cut in two. */
const HALF_AT_END = /[\ud800-\udbff]$/;

const ELLIPSIS = '…';

/** The text, or its beginning and an ellipsis, in at most so many columns. The text has no control characters. */
export function cutToColumns(text: string, columns: number): string {
  const isLong = text.length > MOST_UNITS;
  if (!isLong && widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const character of charactersOf(text.slice(0, MOST_UNITS).replace(HALF_AT_END, ''))) {
    const more = widthOf(character);
    if (width + more > columns - 1) break;
    kept += character;
    width += more;
  }
  return kept + ELLIPSIS;
}

/** The text, which does not exceed the columns, in exactly this many. */
export function fill(text: string, columns: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, columns - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}
