/**
 * Join codes: a few characters that a person can read out, by which players find an unlisted entry. A code is a part of
 * the id, so that nothing has to be stored, and every replica tells the same.
 */

import type { GameServerId } from './game-server.ts';
import { DIGITS, isFormerUnlistedId } from './unlisted-id.ts';

/** 50 bits. */
const LENGTH = 10;

/** Of an id that was made before 0.9: 40 bits. */
const FORMER_LENGTH = 8;

/** Of every join code, as it is told. */
export const JOIN_CODE_PATTERN = new RegExp(
  `^[${DIGITS}]{${FORMER_LENGTH}}(?:[${DIGITS}]{${LENGTH - FORMER_LENGTH}})?$`,
);

/** The join code of an unlisted entry. */
export function joinCodeOf(id: GameServerId): string {
  return isFormerUnlistedId(id) ? formerCodeOf(id) : id.slice(1, 1 + LENGTH);
}

/** The first 40 of the 128 bits of the id. */
function formerCodeOf(id: GameServerId): string {
  const bytes = Buffer.alloc(5);
  Buffer.from(id.slice(1), 'base64url').copy(bytes);
  let rest = bytes.readUIntBE(0, 5);
  let code = '';
  for (; code.length < FORMER_LENGTH; rest = Math.floor(rest / 32)) code = DIGITS[rest % 32]! + code;
  return code;
}

/** The code that a person means: in capitals, without spaces and dashes, O as 0, I and L as 1. */
export function readJoinCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
