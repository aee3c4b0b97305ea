/**
 * Join codes: a few characters that a person can read out, by which players find an unlisted entry. A code is a part of
 * the id, so that nothing has to be stored, and every replica has the same code.
 */

import type { GameServerId } from './game-server.ts';
import { DIGITS } from './unlisted-id.ts';

/** 50 bits. */
const LENGTH = 10;

/** The form of every join code as it is shown. */
export const JOIN_CODE_PATTERN = new RegExp(`^[${DIGITS}]{${LENGTH}}$`);

/** The join code of an unlisted entry. */
export function joinCodeOf(id: GameServerId): string {
  return id.slice(1, 1 + LENGTH);
}

/** Reads a code as people write it: in any case, with spaces and dashes, O for 0, I and L for 1. */
export function readJoinCode(text: string): string {
  return text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}
