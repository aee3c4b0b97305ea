/**
 * The ids of unlisted entries: each is a mark, its join code, and more. No client can choose one, and none can be
 * derived from public facts.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { UNLISTED_MARK, type GameServer, type GameServerId } from './game-server.ts';

/** Crockford's base32: without I, L, O and U, which are mistaken for others or make words. */
export const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 130 bits, of which the join code is the first 50. Every digit takes five. */
const LENGTH = 26;

/** A random id. */
export function createUnlistedId(): GameServerId {
  return idOf(randomBytes(LENGTH));
}

/**
 * The id for a broadcast with this Idempotency-Key: the same for one key and address, on every replica. `secret`: that
 * of the registry. Without the secret, nobody can derive the id from the key, or from the listed id for that key.
 */
export function deriveUnlistedId(
  idempotencyKey: string,
  { host, ip, port }: GameServer,
  secret: string,
): GameServerId {
  // No token is made from such a text, since a token's text begins with the name of a registry.
  const text = JSON.stringify(['unlisted', idempotencyKey, host, ip, port]);
  return idOf(createHmac('sha256', secret).update(text).digest());
}

function idOf(bytes: Buffer): GameServerId {
  let id = UNLISTED_MARK;
  for (const byte of bytes.subarray(0, LENGTH)) id += DIGITS[byte % DIGITS.length]!;
  return id;
}
