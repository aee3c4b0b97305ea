/**
 * Gzip of many pieces that change one by one, and of bytes that never do. Each piece is compressed on its own, once
 * (deflater.ts), and the whole is put together from them: any sequence of pieces is one valid stream, and its checksum
 * is combined from theirs. It takes about an eighth more bytes than the whole compressed at once, and no change
 * compresses the whole again.
 */

import { crc32, gzip } from 'node:zlib';
import { combineCrc, crcShift } from './crc.ts';

/** A run of bytes in its compressed form, without the end of the deflate stream. */
export class GzipPiece {
  readonly deflated: Buffer;
  readonly plainLength: number;
  /** The CRC-32 of the plain bytes. */
  readonly crc: number;
  /** The shift for combineCrc(), which is kept because it takes longer than the rest of it. */
  readonly shift: number;

  constructor(deflated: Buffer, plainLength: number, crc: number, shift = crcShift(plainLength)) {
    this.deflated = deflated;
    this.plainLength = plainLength;
    this.crc = crc;
    this.shift = shift;
  }

  /** The same piece, its compressed bytes at another place. */
  withBytes(deflated: Buffer): GzipPiece {
    return new GzipPiece(deflated, this.plainLength, this.crc, this.shift);
  }
}

/** A short piece that is not worth compressing: a stored block (RFC 1951 section 3.2.4). */
export function storedPiece(bytes: Buffer): GzipPiece {
  const header = Buffer.alloc(5);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return new GzipPiece(Buffer.concat([header, bytes]), bytes.length, crc32(bytes));
}

/** The CRC-32 and the length of all plain bytes. */
export function checksum(pieces: readonly GzipPiece[]): {
  readonly crc: number;
  readonly plainLength: number;
} {
  let crc = 0;
  let plainLength = 0;
  for (const piece of pieces) {
    crc = combineCrc(crc, piece.crc, piece.shift);
    plainLength += piece.plainLength;
  }
  return { crc, plainLength };
}

/** The beginning: magic, deflate, no flags, no time, unknown system (RFC 1952 section 2.3). */
export const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty last block with the fixed code, which ends the deflate stream. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** The end of a gzip file whose pieces have this CRC-32 and this length in all. */
export function gzipEnd(crc: number, plainLength: number): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(plainLength % 2 ** 32, 4);
  return Buffer.concat([LAST_BLOCK, trailer]);
}

/** The pieces, in order, as one gzip file in parts. */
export function gzipMember(pieces: readonly GzipPiece[]): Buffer[] {
  const { crc, plainLength } = checksum(pieces);
  return [GZIP_HEADER, ...pieces.map(({ deflated }) => deflated), gzipEnd(crc, plainLength)];
}

/** The bytes as one gzip file, as small as zlib makes it: for what is compressed once, and sent for good. */
export function gzipSmallest(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: 9 }, (error, zipped) => {
      if (error === null) resolve(zipped);
      else reject(error);
    });
  });
}
