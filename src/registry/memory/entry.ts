/** An entry as a registry in memory keeps it, which is also its row of the list, and its forms for the journal. */

import type { GameServer, GameServerId, ListedGameServer, Standing } from '../game-server.ts';
import type { ExpiredChange, ListedChange } from './journal.ts';

/** Of an entry only the deadline ever changes. */
export interface Entry extends ListedGameServer {
  /** Its deadline, ms since the epoch. */
  expiresAt: number;
}

/** An entry with this version of its broadcast and this deadline. */
export function createEntry(
  id: GameServerId,
  { host, name, port, ip, players, maxPlayers }: GameServer,
  { isClaimed, client, reachability }: Standing,
  registeredVersion: number,
  expiresAt: number,
): Entry {
  return {
    id,
    host,
    name,
    port,
    ip,
    players,
    maxPlayers,
    isClaimed,
    client,
    reachability,
    registeredVersion,
    expiresAt,
  };
}

/** That the entry is listed. */
export function listedChange(entry: Entry): ListedChange {
  const {
    id,
    host,
    name,
    port,
    ip,
    players,
    maxPlayers,
    isClaimed,
    client,
    reachability,
    registeredVersion,
  } = entry;
  return {
    is: 'listed',
    id,
    host,
    name,
    port,
    ip,
    players,
    maxPlayers,
    isClaimed,
    client,
    reachability,
    registeredVersion,
  };
}

/** That the entry has expired. */
export function expiredChange(entry: Entry): ExpiredChange {
  return { is: 'expired', ...entry };
}
