/**
 * Infostrings: `\key\value\key\value`, read as SearchInfostring() in src/messages.c of dpmaster reads them. A text is
 * Latin-1 here: each byte is one letter, so that the bytes that go out are those that came in.
 */

/** The longest key or value: a longer one counts as absent. */
const MOST_LETTERS = 255;

/** The content of an infostring: the first value of each key. */
export class Infostring {
  readonly #values = new Map<string, string>();

  constructor(text: string) {
    if (!text.startsWith('\\')) return;
    const parts = text.slice(1).split('\\');
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const [key, value] = [parts[at]!, parts[at + 1]!];
      if (key.length <= MOST_LETTERS && !this.#values.has(key)) this.#values.set(key, value);
    }
  }

  /** Undefined for a key that is absent, or whose value is too long. */
  get(key: string): string | undefined {
    const value = this.#values.get(key);
    return value === undefined || value.length > MOST_LETTERS ? undefined : value;
  }

  /** The value as a person reads it: many games write UTF-8, the older ones Latin-1. '' if it is absent. */
  read(key: string): string {
    const bytes = Buffer.from(this.get(key) ?? '', 'latin1');
    const text = bytes.toString('utf8');
    return text.includes('\ufffd') ? bytes.toString('latin1') : text;
  }

  /** The infostring without one key, in the same order. */
  without(key: string): string {
    return [...this.#values].map(([each, value]) => (each === key ? '' : `\\${each}\\${value}`)).join('');
  }
}
