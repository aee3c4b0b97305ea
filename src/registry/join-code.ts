/**
 * Join codes: eight characters that a person can read out, by which players find an unlisted entry. A code is made from
 * the id, so that nothing has to be stored, and every replica tells the same. Knows nothing of where entries are kept.
 */

import type { GameServerId } from './game-server.ts';

/** Crockford's base32: without I, L, O and U, which are mistaken for others or make words. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/** The join code of an unlisted entry: the first 40 of the 128 bits of its id. */
export function joinCodeOf(id: GameServerId): string {
  const bytes = Buffer.alloc(5);
  Buffer.from(id.slice(1), 'base64url').copy(bytes);
  let rest = bytes.readUIntBE(0, 5);
  let code = '';
  for (; code.length < LENGTH; rest = Math.floor(rest / 32)) code = DIGITS[rest % 32]! + code;
  return code;
}

/** The code that a person means: in capitals, without spaces and dashes, O as 0, I and L as 1. */
export function readJoinCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
