/** A body as immutable bytes, which is compressed once a client wants that. */

import { hash } from 'node:crypto';
import { compressRuns } from '../../runtime/bytes/deflater.ts';
import { gzipMember, GzipPiece, gzipSmallest } from '../../runtime/bytes/gzip.ts';
import { Rope } from '../../runtime/bytes/rope.ts';
import type { Turns } from './turns.ts';
import { awaited, type Asker, type Shared, type Work } from './work.ts';

/** The length of the hash, in characters of 6 bits. */
const HASH_CHARACTERS = 22;

export class Body {
  readonly plain: Rope;
  /** The hash is equal on all replicas for equal bytes, and only for those. */
  readonly hash: string;
  readonly #isFixed: boolean;
  #gzip: Shared<Rope> | undefined;

  /** `isFixed`: the body stays as long as the process lives. It is compressed longer, to a tenth less than others. */
  constructor(bytes: Buffer, { isFixed = false } = {}) {
    this.plain = new Rope([bytes]);
    this.#isFixed = isFixed;
    this.hash = hash('sha256', bytes, 'base64url').slice(0, HASH_CHARACTERS);
  }

  /** The memory for the body with its compressed form, in bytes, estimated. */
  get bytes(): number {
    return 1.5 * this.plain.length;
  }

  /** Compresses the body once, however many ask for that. */
  gzip(turns: Turns, asker: Asker): Promise<Rope> {
    if (this.#gzip !== undefined) this.#gzip.join(asker);
    else {
      this.#gzip = turns.share(asker, () => this.#compress());
      this.#gzip.result.catch(() => (this.#gzip = undefined));
    }
    return this.#gzip.result;
  }

  *#compress(): Work<Rope> {
    if (this.#isFixed) return new Rope([yield* awaited(gzipSmallest(this.plain.toBuffer()))]);
    const [run] = yield* awaited(compressRuns([this.plain.toBuffer()]));
    const { bytes, crc } = run!;
    const deflated = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return new Rope(gzipMember([new GzipPiece(deflated, this.plain.length, crc)]));
  }
}
