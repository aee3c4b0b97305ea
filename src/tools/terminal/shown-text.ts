/**
 * Texts of game servers made harmless for a terminal: they begin no line, move no cursor, and change no color and no
 * direction but their own. Unlike a line of a log, they keep what joins the parts of an emoji or the letters of a word.
 */

import { printable } from '../../model/printable.ts';

const ASCII = /^[ -~]*$/;

/** Hebrew, Arabic and the other scripts that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/**
 * Matches characters that may join: between letters that are not ASCII, between emojis, and in the region of a flag. It
 * is built when it is first needed: building it takes longer than to show a list.
 */
let joiners: RegExp | undefined;

/** The text with all that is no text written like `\u{1b}`. */
export function shownText(text: string): string {
  if (ASCII.test(text)) return text;
  if (!/\u200c|\u200d|[\u{e0000}-\u{e007f}]/u.test(text)) return printable(text);
  joiners ??= new RegExp(
    [
      '((?<=[\\p{L}\\p{M}\\p{Extended_Pictographic}\\ufe0f\\p{Emoji_Modifier}])',
      '[\\u200c\\u200d](?=[\\p{L}\\p{M}\\p{Extended_Pictographic}])',
      '|(?<=\\u{1f3f4})[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{2,6}\\u{e007f})',
    ].join(''),
    'u',
  );
  // Every second part is one that joins.
  return text
    .split(joiners)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join('');
}

/** The text in a direction of its own: what stands beside it on the line stays where it is. */
export function isolated(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? FIRST_STRONG_ISOLATE + text + POP_DIRECTIONAL_ISOLATE : text;
}
