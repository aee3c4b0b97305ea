/**
 * A long text in parts, plain and compressed, for any number of readers: each part is compressed once, however many
 * texts it is in.
 */

import { compressRuns } from '../../runtime/bytes/deflater.ts';
import { crcShift } from '../../runtime/bytes/crc.ts';
import { checksum, GZIP_HEADER, gzipEnd, GzipPiece, storedPiece } from '../../runtime/bytes/gzip.ts';
import { Rope } from '../../runtime/bytes/rope.ts';
import type { Turns } from './turns.ts';
import { awaited, type Asker, type Shared, type Work } from './work.ts';

/** How much is copied for the other thread at a time. */
const COMPRESSED_AT_A_TIME_BYTES = 2 * 1024 * 1024;
/** The shortest part that is compressed: a shorter one, such as a bookmark or a state event, would gain nothing. */
const SHORTEST_COMPRESSED_BYTES = 128;

export class TextPart {
  readonly bytes: Buffer;
  /** Undefined until the part is compressed. */
  gzip: GzipPiece | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    if (this.bytes.length < SHORTEST_COMPRESSED_BYTES) this.gzip = storedPiece(this.bytes);
  }
}

/** A run of a deflate stream, with the facts that the end of the stream needs. */
export interface CompressedText {
  readonly rope: Rope;
  readonly plainLength: number;
  readonly crc: number;
  /** The shift for combineCrc(). */
  readonly shift: number;
}

export class SharedText {
  readonly parts: readonly TextPart[];
  /** The length of the plain text, in bytes. */
  readonly length: number;
  #plain: Rope | undefined;
  #ready: CompressedText | undefined;
  #compressing: Shared<CompressedText> | undefined;

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

  /** The compressed text, if all its parts are compressed. */
  get ready(): CompressedText | undefined {
    if (this.#ready === undefined && this.parts.every(({ gzip }) => gzip !== undefined))
      this.#ready = join(this.parts.map(({ gzip }) => gzip!));
    return this.#ready;
  }

  /** Compresses the text once, however many ask for that. Rejects with a ServiceError `overloaded`. */
  async compressed(turns: Turns, asker: Asker): Promise<CompressedText> {
    if (this.#ready !== undefined) return this.#ready;
    if (this.#compressing !== undefined) this.#compressing.join(asker);
    else {
      this.#compressing = turns.share(asker, () => this.compress());
      this.#compressing.result.catch(() => (this.#compressing = undefined));
    }
    return this.#compressing.result;
  }

  /** Compresses the text within other work. */
  *compress(): Work<CompressedText> {
    for (const batch of batchesOf(this.parts.filter(({ gzip }) => gzip === undefined))) {
      const compressed = yield* awaited(compressRuns(batch.map(({ bytes }) => bytes)));
      for (const [index, { bytes, crc }] of compressed.entries()) {
        const part = batch[index]!;
        // The bytes are copied: the results of a batch share one ArrayBuffer, which any one of them would keep whole.
        part.gzip ??= new GzipPiece(Buffer.from(bytes), part.bytes.length, crc);
        yield;
      }
    }
    return this.ready!;
  }

  /** The text as a gzip file. Rejects with a ServiceError `overloaded`. */
  async gzip(turns: Turns, asker: Asker): Promise<Rope> {
    const { rope, crc, plainLength } = await this.compressed(turns, asker);
    return new Rope([GZIP_HEADER, ...rope.parts, gzipEnd(crc, plainLength)]);
  }
}

function join(pieces: readonly GzipPiece[]): CompressedText {
  const { crc, plainLength } = checksum(pieces);
  const rope = new Rope(pieces.map(({ deflated }) => deflated));
  return { rope, plainLength, crc, shift: crcShift(plainLength) };
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
