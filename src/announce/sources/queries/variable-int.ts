/**
 * The numbers in packets of Teeworlds 0.7, as src/engine/shared/compression.cpp of teeworlds/teeworlds has them: a
 * first byte of a mark that more follow, the sign and 6 bits, then bytes of the mark and 7 bits, the lowest first; 32
 * bits in all. A negative number is the complement of what is written.
 */

import type { ByteReader } from './byte-reader.ts';

const MOST_BYTES = 5;

/** `value`: not negative. */
export function packVariableInt(value: number): Buffer {
  const bytes = [value & 0x3f];
  for (let rest = value >>> 6; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

/** Of 32 bits with a sign. */
export function readVariableInt(reader: ByteReader): number {
  let byte = reader.u8();
  const isNegative = (byte & 0x40) !== 0;
  let value = byte & 0x3f;
  for (let at = 1, shift = 6; (byte & 0x80) !== 0 && at < MOST_BYTES; at += 1, shift += 7) {
    byte = reader.u8();
    value |= (byte & 0x7f) << shift;
  }
  return isNegative ? ~value : value;
}
