/** An entry as a registry in memory keeps it, and its forms for the list and for the journal. */

import type { GameServer, GameServerId, ListedGameServer } from '../game-server.ts';
import type { ExpiredChange, ListedChange } from './journal.ts';

/** Of an entry only the deadline ever changes. */
export interface Entry {
  readonly gameServer: GameServer;
  /** The version of its broadcast. */
  readonly registeredVersion: number;
  /** Its deadline, ms since the epoch. */
  expiresAt: number;
}

/** The entry as the list shows it. */
export function toListed(id: GameServerId, { gameServer, registeredVersion }: Entry): ListedGameServer {
  return { id, registeredVersion, ...gameServer };
}

/** That the entry is listed. */
export function listedChange(id: GameServerId, entry: Entry): ListedChange {
  return { is: 'listed', ...toListed(id, entry) };
}

/** That the entry has expired. */
export function expiredChange(id: GameServerId, entry: Entry): ExpiredChange {
  return { is: 'expired', ...toListed(id, entry), expiresAt: entry.expiresAt };
}

/** The entry that the change is about, with this deadline. */
export function toEntry(change: ListedChange | ExpiredChange, expiresAt: number): Entry {
  const { host, name, port, ip, players, maxPlayers, registeredVersion } = change;
  return { gameServer: { host, name, port, ip, players, maxPlayers }, registeredVersion, expiresAt };
}
