/**
 * The CRC-32 of a sequence, from those of its parts: arithmetic of polynomials over GF(2), modulo the CRC's own, bits
 * reflected. Appending n bytes multiplies the checksum by x^(8n), as in zlib's crc32_combine.
 */

const POLYNOMIAL = 0xedb88320;

/** x^(8n), for combineCrc(), by repeated squaring. */
export function crcShift(byteLength: number): number {
  let power = 1 << 31; // x^0
  let square = 1 << 23; // x^8
  for (let n = byteLength; n > 0; n >>>= 1) {
    if ((n & 1) === 1) power = multiply(square, power);
    square = multiply(square, square);
  }
  return power >>> 0;
}

/** The CRC-32 of two runs of bytes, one after the other. `shift`: the crcShift() of the length of the second. */
export function combineCrc(first: number, second: number, shift: number): number {
  return (multiply(shift, first) ^ second) >>> 0;
}

function multiply(a: number, b: number): number {
  let product = 0;
  let factor = b;
  for (let bit = 1 << 31; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ POLYNOMIAL;
  }
  return product >>> 0;
}
