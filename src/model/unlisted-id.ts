/**
 * The ids of unlisted entries: each is its join code and more, behind a mark. No client can choose one, and none can be
 * told from what is public.
 */

import { createHmac, randomBytes } from 'node:crypto';
import { UNLISTED_MARK, type GameServer, type GameServerId } from './game-server.ts';

/** Crockford's base32: without I, L, O and U, which are mistaken for others or make words. */
export const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 130 bits, of which the join code is the first 50. Every digit takes five. */
const LENGTH = 26;

/** A random one. */
export function createUnlistedId(): GameServerId {
  return idOf(randomBytes(LENGTH));
}

/**
 * The one of a broadcast with this Idempotency-Key: the same for one key and address, on every replica. `secret`: that
 * of the registry. Whoever knows the key, or the id that a listed entry has by it, can make nothing of that without the
 * secret.
 */
export function deriveUnlistedId(
  idempotencyKey: string,
  { host, ip, port }: GameServer,
  secret: string,
): GameServerId {
  // No token is made of such a text: it begins with the name of a registry.
  const text = JSON.stringify(['unlisted', idempotencyKey, host, ip, port]);
  return idOf(createHmac('sha256', secret).update(text).digest());
}

function idOf(bytes: Buffer): GameServerId {
  let id = UNLISTED_MARK;
  for (const byte of bytes.subarray(0, LENGTH)) id += DIGITS[byte % DIGITS.length]!;
  return id;
}
