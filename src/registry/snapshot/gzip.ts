/**
 * Gzip of many pieces that change one by one. Each piece is compressed on its own, once, and the whole is put
 * together from the parts. A full flush ends each part on a byte, and the next part does not refer back to it
 * (RFC 1951; Z_FULL_FLUSH): any sequence of parts is one valid stream, and its checksum is combined from theirs.
 * It takes about a tenth more bytes than the whole compressed at once, and no change compresses the whole again.
 * Knows nothing of what the bytes mean.
 */

import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';

/** A run of bytes, and its compressed form once it is made. */
export class GzipPiece {
  readonly bytes: Buffer;
  /** Undefined until gzipMember() has made it. */
  deflated: Uint8Array | undefined;
  #crc: number | undefined;
  #shift: number | undefined;

  constructor(bytes: Buffer, deflated?: Buffer) {
    this.bytes = bytes;
    this.deflated = deflated;
  }

  /** The CRC-32 of all bytes up to the end of this piece, from that of all bytes before it. */
  extendCrc(crcBefore: number): number {
    this.#crc ??= crc32(this.bytes);
    this.#shift ??= crcShift(this.bytes.length);
    return (multiply(this.#shift, crcBefore) ^ this.#crc) >>> 0;
  }
}

/** A short piece that is not worth compressing: a stored block (RFC 1951 section 3.2.4). */
export function storedPiece(text: string): GzipPiece {
  const bytes = Buffer.from(text);
  const header = Buffer.alloc(5);
  header.writeUInt16LE(bytes.length, 1);
  header.writeUInt16LE(bytes.length ^ 0xffff, 3);
  return new GzipPiece(bytes, Buffer.concat([header, bytes]));
}

/** Magic, deflate, no flags, no time, unknown system (RFC 1952 section 2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty last block with the fixed code, which ends the deflate stream. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** The pieces, in order, as one gzip file. Compresses those that are not compressed yet, in another thread. */
export async function gzipMember(pieces: readonly GzipPiece[]): Promise<Buffer> {
  const missing = pieces.filter(({ deflated }) => deflated === undefined);
  if (missing.length > 0) await compressPieces(missing);
  const parts: Uint8Array[] = [GZIP_HEADER];
  let crc = 0;
  let length = 0;
  for (const piece of pieces) {
    parts.push(piece.deflated!);
    crc = piece.extendCrc(crc);
    length += piece.bytes.length;
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return Buffer.concat([...parts, LAST_BLOCK, trailer]);
}

/**
 * The program of the other thread. One message carries all pieces there, and one brings them back: zlib's own
 * asynchronous calls would change threads for each piece, which takes longer than its compression.
 */
const DEFLATER = `
  const { parentPort } = require('node:worker_threads');
  const { constants, deflateRawSync } = require('node:zlib');
  const options = { finishFlush: constants.Z_FULL_FLUSH };
  parentPort.on('message', (pieces) => parentPort.postMessage(pieces.map((bytes) => deflateRawSync(bytes, options))));
`;

interface Job {
  readonly resolve: (deflated: readonly Uint8Array[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Answers come in the order of the messages. */
const jobs: Job[] = [];
let deflater: Worker | undefined;

/** The thread starts when it is first needed, and again if it ever fails. It does not keep the process alive. */
function startDeflater(): Worker {
  const worker = new Worker(DEFLATER, { eval: true, execArgv: [], env: {} });
  worker.on('message', (deflated: readonly Uint8Array[]) => jobs.shift()?.resolve(deflated));
  worker.on('error', (error) => {
    deflater = undefined;
    for (const job of jobs.splice(0)) job.reject(error);
  });
  worker.unref();
  return worker;
}

async function compressPieces(pieces: readonly GzipPiece[]): Promise<void> {
  deflater ??= startDeflater();
  const worker = deflater;
  const deflated = await new Promise<readonly Uint8Array[]>((resolve, reject) => {
    jobs.push({ resolve, reject });
    worker.postMessage(pieces.map(({ bytes }) => bytes));
  });
  for (const [index, piece] of pieces.entries()) piece.deflated = deflated[index];
}

/**
 * CRC-32 as arithmetic of polynomials over GF(2), modulo the CRC's own, bits reflected: appending n bytes
 * multiplies the checksum by x^(8n). As in zlib's crc32_combine.
 */
const POLYNOMIAL = 0xedb88320;

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 1 << 31; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}

/** x^(8n) by repeated squaring. */
function crcShift(byteLength: number): number {
  let power = 1 << 31; // x^0
  let square = 1 << 23; // x^8
  for (let n = byteLength; n > 0; n >>>= 1) {
    if ((n & 1) === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return power >>> 0;
}
