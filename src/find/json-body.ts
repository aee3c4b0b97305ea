/** A JSON body as immutable bytes, with what names them and their compressed form. Knows nothing of HTTP. */

import { hash } from 'node:crypto';
import { compressRuns } from '../registry/snapshot/deflater.ts';
import { gzipMember, GzipPiece } from '../registry/snapshot/gzip.ts';
import { Rope } from '../registry/snapshot/rope.ts';

export class JsonBody {
  readonly plain: Rope;
  /** Equal on all replicas for equal bytes, and only for those. */
  readonly hash: string;
  readonly #bytes: Buffer;
  #gzip: Promise<Rope> | undefined;

  constructor(bytes: Buffer) {
    this.plain = new Rope([bytes]);
    this.hash = hash('sha256', bytes, 'base64url').slice(0, 22);
    this.#bytes = bytes;
  }

  /** Compressed: once, however many ask for it. */
  gzip(): Promise<Rope> {
    if (this.#gzip === undefined) {
      this.#gzip = this.#compress();
      this.#gzip.catch(() => (this.#gzip = undefined));
    }
    return this.#gzip;
  }

  async #compress(): Promise<Rope> {
    const [run] = await compressRuns([this.#bytes]);
    const { bytes, crc } = run!;
    const deflated = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return new Rope(gzipMember([new GzipPiece(deflated, this.#bytes.length, crc)]));
  }
}
