/** The bytes of a body in parts, in order. Ropes share parts: two versions of a list differ in few of them. */

/** Up to this size a rope is joined into one part: one write is the cheapest, and many readers share the joining. */
const LONGEST_JOINED_BYTES = 1024 * 1024;

/** Some of the bytes of a rope, in order. */
export interface Piece {
  readonly buffers: readonly Buffer[];
  readonly isLast: boolean;
  /** How many parts of the rope lie before the end of this piece as a whole. */
  readonly wholeParts: number;
}

export class Rope {
  /** The parts, which never change. */
  readonly parts: readonly Buffer[];
  /** The length of all parts, in bytes. */
  readonly length: number;

  constructor(parts: readonly Buffer[]) {
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
    this.parts = this.length > LONGEST_JOINED_BYTES ? parts : [Buffer.concat(parts)];
  }

  /** The rope in pieces of `pieceBytes`, the last one as long as it comes. Parts are cut where a piece ends. */
  *pieces(pieceBytes: number): Generator<Piece, undefined> {
    let left = this.length;
    let buffers: Buffer[] = [];
    let room = Math.min(left, pieceBytes);
    for (const [index, part] of this.parts.entries()) {
      for (let start = 0; start < part.length;) {
        const end = Math.min(part.length, start + room);
        buffers.push(part.subarray(start, end));
        room -= end - start;
        left -= end - start;
        start = end;
        if (room > 0) continue;
        yield { buffers, isLast: left === 0, wholeParts: end === part.length ? index + 1 : index };
        buffers = [];
        room = Math.min(left, pieceBytes);
      }
    }
  }

  /** All bytes, copied together. */
  toBuffer(): Buffer {
    return Buffer.concat(this.parts);
  }

  toString(): string {
    return this.toBuffer().toString();
  }
}
