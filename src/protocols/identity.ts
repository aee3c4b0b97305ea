/** Ids of entries that a protocol lists. They are derived, so that nothing is stored, and every replica knows them. */

import { createHmac } from 'node:crypto';
import type { GameServerId } from '../model/game-server.ts';

/**
 * The id of the game server with these parts in its protocol: a secret of its own, or an address and a port. Only with
 * the secret of the registry can one be derived from the other.
 */
export function entryIdOf(secret: string, protocol: string, ...parts: readonly string[]): GameServerId {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['entry', protocol, ...parts]))
    .digest()
    .subarray(0, 16)
    .toString('base64url');
}
