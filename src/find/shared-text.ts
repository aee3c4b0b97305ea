/**
 * A long text in parts, plain and compressed, for any number of readers: each part is compressed once, however many
 * texts it is in. Knows nothing of what the text says.
 */

import { compressRuns } from '../registry/snapshot/deflater.ts';
import { crcShift } from '../registry/snapshot/crc.ts';
import { checksum, GzipPiece, storedPiece } from '../registry/snapshot/gzip.ts';
import { Rope } from '../registry/snapshot/rope.ts';

/** So much is copied for the other thread at a time. */
const COMPRESSED_AT_A_TIME_BYTES = 2 * 1024 * 1024;
/** A shorter part gains nothing by compression. */
const SHORTEST_COMPRESSED_BYTES = 64;

export class TextPart {
  readonly bytes: Buffer;
  /** Undefined until it is compressed. */
  gzip: GzipPiece | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    if (this.bytes.length < SHORTEST_COMPRESSED_BYTES) this.gzip = storedPiece(this.bytes);
  }
}

/** A run of a deflate stream, with what the end of the stream needs to know of it. */
export interface CompressedText {
  readonly rope: Rope;
  readonly plainLength: number;
  readonly crc: number;
  /** For combineCrc(). */
  readonly shift: number;
}

export class SharedText {
  readonly parts: readonly TextPart[];
  /** In bytes, plain. */
  readonly length: number;
  #plain: Rope | undefined;
  #pieces: Promise<readonly GzipPiece[]> | undefined;
  #compressed: Promise<CompressedText> | undefined;

  constructor(parts: readonly TextPart[]) {
    this.parts = parts;
    this.length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** The text between two short ones. */
  between(before: string, after: string): SharedText {
    return new SharedText([new TextPart(before), ...this.parts, new TextPart(after)]);
  }

  get plain(): Rope {
    this.#plain ??= new Rope(this.parts.map(({ bytes }) => bytes));
    return this.#plain;
  }

  /** The pieces of a gzip file. */
  pieces(): Promise<readonly GzipPiece[]> {
    this.#pieces ??= this.#compress();
    return this.#pieces;
  }

  compressed(): Promise<CompressedText> {
    this.#compressed ??= this.pieces().then((pieces) => {
      const { crc, plainLength } = checksum(pieces);
      const rope = new Rope(pieces.map(({ deflated }) => deflated));
      return { rope, plainLength, crc, shift: crcShift(plainLength) };
    });
    return this.#compressed;
  }

  async #compress(): Promise<readonly GzipPiece[]> {
    for (const batch of batchesOf(this.parts.filter(({ gzip }) => gzip === undefined))) {
      const compressed = await compressRuns(batch.map(({ bytes }) => bytes));
      for (const [index, { bytes, crc }] of compressed.entries()) {
        const part = batch[index]!;
        // A copy: the results of a batch share one ArrayBuffer, which any one of them would keep whole.
        part.gzip ??= new GzipPiece(Buffer.from(bytes), part.bytes.length, crc);
      }
    }
    return this.parts.map(({ gzip }) => gzip!);
  }
}

function* batchesOf(parts: readonly TextPart[]): Generator<readonly TextPart[]> {
  let batch: TextPart[] = [];
  let length = 0;
  for (const part of parts) {
    batch.push(part);
    length += part.bytes.length;
    if (length < COMPRESSED_AT_A_TIME_BYTES) continue;
    yield batch;
    [batch, length] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
