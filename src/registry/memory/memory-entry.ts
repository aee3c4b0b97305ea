/** The entry of a registry in memory, which is also its row of the list, and its changes for the journal. */

import { NO_DETAILS } from '../../model/fields/details.ts';
import type { GameServer, GameServerId, ListedGameServer, Standing } from '../../model/game-server.ts';
import { lifetimeOf } from '../native-entries.ts';
import type { ExpiredChange, ListedChange } from './journal.ts';

/** One state of an entry: only its deadlines ever change. */
export interface MemoryEntry extends ListedGameServer {
  /** The deadline of the entry, ms since the epoch. */
  expiresAt: number;
  /** The native part of an entry that a protocol lists. */
  readonly native?: NativePart | undefined;
}

export interface NativePart {
  readonly document: string;
  /** The deadlines of its links, ms since the epoch, the oldest link first. */
  readonly links: Map<string, number>;
}

/**
 * Creates an entry with the versions of its broadcast and its last change. Whoever keeps the entry gives it a deadline.
 * `former`: the details of the entry if the game server sends none.
 */
export function createEntry(
  id: GameServerId,
  gameServer: GameServer,
  { isClaimed, client, reachability, seen }: Standing,
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
    seen,
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
  if (change.is === 'expired') entry.expiresAt = Math.min(change.parkedAt ?? change.expiresAt, now);
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

/** Returns the change that the entry has expired. It needs no native part: an entry comes back with a new one. */
export function expiredChange(entry: MemoryEntry): ExpiredChange {
  const { native: _, ...expired } = entry;
  return { is: 'expired', ...expired };
}

/** Returns the change that the entry is parked. A release that knows no parked entries reads one that has lapsed. */
export function parkedChange(entry: MemoryEntry): ExpiredChange {
  return { ...expiredChange(entry), expiresAt: 0, parkedAt: entry.expiresAt };
}
