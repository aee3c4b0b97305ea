/** An entry as a registry in memory keeps it, which is also its row of the list, and its forms for the journal. */

import { NO_DETAILS } from '../../model/fields/details.ts';
import type { GameServer, GameServerId, ListedGameServer, Standing } from '../../model/game-server.ts';
import { lifetimeOf } from '../native-entries.ts';
import type { ExpiredChange, ListedChange } from './journal.ts';

/** Of an entry only the deadlines ever change. */
export interface MemoryEntry extends ListedGameServer {
  /** Its deadline, ms since the epoch. */
  expiresAt: number;
  /** Of an entry that a protocol lists. */
  readonly native?: NativePart | undefined;
}

export interface NativePart {
  readonly document: string;
  /** The deadlines of its links, ms since the epoch, the oldest link first. */
  readonly links: Map<string, number>;
}

/**
 * An entry with these versions, of its broadcast and its last change; whoever keeps it gives it a deadline. `former`:
 * its details if the game server says nothing of them.
 */
export function createEntry(
  id: GameServerId,
  gameServer: GameServer,
  { isClaimed, client, reachability }: Standing,
  { registeredVersion, version }: Pick<ListedGameServer, 'registeredVersion' | 'version'>,
  former = NO_DETAILS,
  native?: NativePart,
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
    expiresAt: 0,
    native,
  };
}

/** The entry that a journal has, at `now`, ms since the epoch; a listed one has no deadline yet. */
export function entryOf(change: ListedChange | ExpiredChange, now: number): MemoryEntry {
  const native = change.is === 'listed' ? nativePartOf(change, now) : undefined;
  const entry = createEntry(change.id, change, change, change, undefined, native);
  // A time that is still to come is that of another clock.
  if (change.is === 'expired') entry.expiresAt = Math.min(change.expiresAt, now);
  return entry;
}

/** Each link gets a whole TTL, as its entry does. */
function nativePartOf({ document, details }: ListedChange, now: number): NativePart | undefined {
  const own = lifetimeOf(details);
  if (document === undefined || own === undefined) return undefined;
  const deadline = now + own.ttlMs;
  return { document, links: new Map(details.fields.links?.map((link) => [link, deadline])) };
}

/** That the entry is listed. */
export function listedChange(entry: MemoryEntry): ListedChange {
  const { expiresAt: _, native, ...listed } = entry;
  return { is: 'listed', ...listed, ...(native && { document: native.document }) };
}

/** That the entry has expired. Its protocol says all of it again, should it come back. */
export function expiredChange(entry: MemoryEntry): ExpiredChange {
  const { native: _, ...expired } = entry;
  return { is: 'expired', ...expired };
}
