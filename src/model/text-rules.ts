/**
 * The characters allowed in a host or a name: the text must display as what it is, and harm no program that shows it.
 * Properties have the names of the Unicode Character Database.
 */

/**
 * Control characters, lone surrogates, line and paragraph separators, bidi embeddings, overrides and isolates, and the
 * replacement character, which stands for bytes that were not UTF-8.
 */
const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufffd]/u;

/** Letters, numbers, punctuation and symbols, except the symbols and hieroglyphs that are blank. */
const VISIBLE = /(?![\u2800\u{1d159}\u{13441}\u{13442}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Characters without a glyph: texts that differ only in these look the same. The last three are annotations. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;

/** A letter or mark of the scripts whose spelling needs joiners. */
const JOINING =
  '(?=[\\p{L}\\p{M}])[' +
  ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym']
    .concat('Sinh', 'Khmr', 'Mymr')
    .map((script) => `\\p{Script_Extensions=${script}}`)
    .join('') +
  ']';

/** An emoji in either presentation or with a skin tone. */
const EMOJI = '\\p{Extended_Pictographic}(?:[\\ufe0e\\ufe0f]|\\p{Emoji_Modifier})?';

/** The region in tag characters, which are ASCII plus 0xE0000. */
function tags(region: string): string {
  return region.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
}

/** Places where an invisible character changes the display: without it the text would differ or be misspelt. */
const MEANINGFUL = new RegExp(
  [
    // UTS #51: emoji joined into one, keycaps, and the flags by tag characters that are recommended for interchange.
    `${EMOJI}(?:\\u200d${EMOJI})*`,
    '[0-9#*]\\ufe0f(?=\\u20e3)',
    `(?<=\\u{1f3f4})(?:${['gbeng', 'gbsct', 'gbwls'].map(tags).join('|')})\\u{e007f}`,
    // RFC 5892 appendix A: between letters of a cursive script, and after a virama of a Brahmic one.
    `(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`,
    '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d]',
    // Variants of ideographs and of Mongolian letters.
    '(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
    '(?<=(?=\\p{L})\\p{Script=Mongolian})[\\u180b-\\u180f]',
  ].join('|'),
  'gu',
);

const EVERY_FORBIDDEN = new RegExp(FORBIDDEN, 'gu');
const EVERY_INVISIBLE = new RegExp(INVISIBLE, 'gu');

/** Any character but printable ASCII. Most texts have none, so that no properties of characters are looked up. */
const BEYOND_ASCII = /[^ -~]/;

/** Printable ASCII with at least one visible character. */
const PLAIN = /^ *[!-~][ -~]*$/;

/** Whether the text shows what it is, and nothing else. One test is enough for most texts. */
export function isClear(text: string): boolean {
  return PLAIN.test(text) || (isHarmless(text) && isVisible(text));
}

/** The text on one line without the characters that make it unclear; '' if nothing visible is left. */
export function cleared(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  const harmless = onOneLine(text.replaceAll(EVERY_FORBIDDEN, ' '));
  const tries = [harmless, withoutInvisible(harmless, true), withoutInvisible(harmless, false)];
  return tries.find(isClear) ?? '';
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** The text without invisible characters. `keepsMeaningful`: except those that change the display. */
function withoutInvisible(text: string, keepsMeaningful: boolean): string {
  const meaningful = keepsMeaningful ? [...text.matchAll(MEANINGFUL)] : [];
  let kept = '';
  let end = 0;
  for (const { 0: sequence, index } of meaningful) {
    kept += text.slice(end, index).replaceAll(EVERY_INVISIBLE, '') + sequence;
    end = index + sequence.length;
  }
  return onOneLine(kept + text.slice(end).replaceAll(EVERY_INVISIBLE, ''));
}

/** Whether the text holds no character that harms a program that shows it. */
export function isHarmless(text: string): boolean {
  return !BEYOND_ASCII.test(text) || !FORBIDDEN.test(text);
}

/** Whether the text shows something, and hides nothing. */
export function isVisible(text: string): boolean {
  if (!BEYOND_ASCII.test(text)) return /[!-~]/.test(text);
  return VISIBLE.test(text) && (!INVISIBLE.test(text) || !INVISIBLE.test(text.replaceAll(MEANINGFUL, '')));
}
