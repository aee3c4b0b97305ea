/**
 * Reads the parts of a packet one after the other. Behind its end all is 0 and '', and `isShort` says so: a parser
 * reads all it wants, and asks once. It knows no protocol.
 */

export class ByteReader {
  readonly #bytes: Buffer;
  #at: number;
  isShort = false;

  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  u8(): number {
    return this.#take(1)?.readUInt8() ?? 0;
  }

  u16le(): number {
    return this.#take(2)?.readUInt16LE() ?? 0;
  }

  u32le(): number {
    return this.#take(4)?.readUInt32LE() ?? 0;
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** Reads a text up to a zero byte: UTF-8, or Latin-1 where it is none. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end === -1) {
      this.isShort = true;
      this.#at = this.#bytes.length;
      return '';
    }
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end + 1;
    const text = part.toString('utf8');
    return text.includes('\ufffd') ? part.toString('latin1') : text;
  }

  skipTexts(count: number): void {
    for (let at = 0; at < count; at += 1) this.text();
  }

  /** A decimal number as a text with its zero byte; NaN for any other text. */
  integerText(): number {
    const text = this.text();
    return /^-?\d{1,10}$/.test(text) ? Number(text) : NaN;
  }

  #take(count: number): Buffer | undefined {
    const end = this.#at + count;
    if (end > this.#bytes.length) {
      this.isShort = true;
      this.#at = this.#bytes.length;
      return undefined;
    }
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}
