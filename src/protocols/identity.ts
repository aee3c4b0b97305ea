/** Ids of entries that a protocol lists: derived, so that nothing is stored, and every replica knows them. */

import { createHmac } from 'node:crypto';
import type { GameServerId } from '../model/game-server.ts';

/**
 * The id of the game server that these parts name in its protocol: a secret of its own, or an address and a port. Only
 * who knows the secret of the registry can tell one from the other.
 */
export function entryIdOf(secret: string, protocol: string, ...parts: readonly string[]): GameServerId {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['entry', protocol, ...parts]))
    .digest()
    .subarray(0, 16)
    .toString('base64url');
}
