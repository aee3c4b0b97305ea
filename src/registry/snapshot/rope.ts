/**
 * The bytes of a body in parts, in order. Ropes share parts: two versions of a list differ in few of them. Knows nothing
 * of what the bytes mean.
 */

/**
 * Up to so many bytes a rope is joined into one part: one write is the cheapest, and many readers share the joining.
 */
const LONGEST_JOINED_BYTES = 1024 * 1024;

export class Rope {
  /** Never changed. */
  readonly parts: readonly Buffer[];
  /** In bytes. */
  readonly length: number;

  constructor(parts: readonly Buffer[]) {
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
    this.parts = this.length > LONGEST_JOINED_BYTES ? parts : [Buffer.concat(parts)];
  }

  /** All bytes, copied together. */
  toBuffer(): Buffer {
    return Buffer.concat(this.parts);
  }

  toString(): string {
    return this.toBuffer().toString();
  }
}
