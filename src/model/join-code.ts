/**
 * Join codes: a few characters that a person can read out, by which players find an unlisted entry. A code is a part of
 * the id, so that nothing has to be stored, and every replica tells the same.
 */

import type { GameServerId } from './game-server.ts';
import { DIGITS } from './unlisted-id.ts';

/** 50 bits. */
const LENGTH = 10;

/** Of every join code, as it is told. */
export const JOIN_CODE_PATTERN = new RegExp(`^[${DIGITS}]{${LENGTH}}$`);

/** The join code of an unlisted entry. */
export function joinCodeOf(id: GameServerId): string {
  return id.slice(1, 1 + LENGTH);
}

/** The code that a person means: in capitals, without spaces and dashes, O as 0, I and L as 1. */
export function readJoinCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
