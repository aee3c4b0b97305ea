/** An entry as a registry in memory keeps it, which is also its row of the list, and its forms for the journal. */

import { NO_DETAILS } from '../fields/details.ts';
import type { GameServer, GameServerId, ListedGameServer, Standing } from '../game-server.ts';
import type { ExpiredChange, ListedChange } from './journal.ts';

/** Of an entry only the deadline ever changes. */
export interface MemoryEntry extends ListedGameServer {
  /** Its deadline, ms since the epoch. */
  expiresAt: number;
}

/**
 * An entry with these versions, of its broadcast and its last change, and this deadline. `former`: its details if the
 * game server says nothing of them.
 */
export function createEntry(
  id: GameServerId,
  gameServer: GameServer,
  { isClaimed, client, reachability }: Standing,
  { registeredVersion, version }: Pick<ListedGameServer, 'registeredVersion' | 'version'>,
  expiresAt: number,
  former = NO_DETAILS,
): MemoryEntry {
  const { host, name, port, ip, players, maxPlayers, details = former } = gameServer;
  return {
    id,
    host,
    name,
    port,
    ip,
    players,
    maxPlayers,
    details,
    isClaimed,
    client,
    reachability,
    registeredVersion,
    version,
    expiresAt,
  };
}

/** That the entry is listed. */
export function listedChange(entry: MemoryEntry): ListedChange {
  const { expiresAt: _, ...listed } = entry;
  return { is: 'listed', ...listed };
}

/** That the entry has expired. */
export function expiredChange(entry: MemoryEntry): ExpiredChange {
  return { is: 'expired', ...entry };
}
