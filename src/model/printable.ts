/**
 * Text that may come from a client, made harmless for a log: it begins no line, moves no cursor, and changes no color
 * or direction.
 */

/** Control and format characters, lone and unassigned code points, line and paragraph separators. */
const NO_TEXT = /[^\P{C}]|[\p{Zl}\p{Zp}]/gu;

/** The text with all that is no text written like `\u{1b}`. */
export function printable(text: string): string {
  return text.replaceAll(NO_TEXT, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/**
 * A line of JSON that means the same and holds text only. JSON itself escapes no more than the characters below a
 * space, but terminals also obey those from 0x7f to 0x9f.
 */
export function printableJson(line: string): string {
  const json = line.trimEnd().replaceAll(NO_TEXT, (character) => {
    const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
  return `${json}\n`;
}

/** The value of a line of JSON, with text only in all of its texts. The lines of a stack stay lines. */
export function parsePrintable(line: string): unknown {
  return JSON.parse(line, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    return key === 'stack' ? value.split('\n').map(printable).join('\n') : printable(value);
  });
}
