/**
 * The port of entries that another protocol lists (protocols/). It stands beside the Registry. Their protocol derives
 * their ids; each has a lifetime of its own and a native document. Each is claimed from birth, so that no ping or
 * remove of this API touches it, and counts as reached: its protocol has seen it answer. The registry does not know
 * what a protocol sends on the wire.
 */

import { hash } from 'node:crypto';
import { Details } from '../model/fields/details.ts';
import type { GameServer, GameServerId, ListedGameServer } from '../model/game-server.ts';
import { LONGEST_TTL_MS } from './lifetime.ts';
import type { AddressTaken, Caller, QuotaExceeded } from './registry.ts';

/** The times of one entry, in ms, in place of those that follow from --ttl. */
export interface EntryLifetime {
  /** How long a link of the entry lives after it was published. */
  readonly ttlMs: number;
  /** An entry with less than this left to live has missed a heartbeat: it is silent. */
  readonly silentBelowMs: number;
}

/** The most bytes of a native document. */
export const MOST_DOCUMENT_BYTES = 32 * 1024;

/** The unit in which documents count for their network: even the smallest costs Redis and every replica as much. */
export const DOCUMENT_UNIT_BYTES = 1024;

/** The most links of an entry. */
export const MOST_LINKS = 8;

/** The state of a game server by another protocol, once that protocol has proved its address. */
export interface NativeState {
  /** The name of the protocol, as in `ddnet`. */
  readonly protocol: string;
  readonly lifetime: EntryLifetime;
  /**
   * The address that was proved, in the words of the protocol, without spaces and commas. An entry can have several
   * links, and lives as long as any of them. A lapsed link is dropped when the entry is published next.
   */
  readonly link: string;
  /**
   * Returns the game server to list while just these links live, the oldest first. describedBy() adds protocol, links,
   * document and lifetime to its details. It must be pure: it may be called with several sets of links.
   */
  readonly describe: (links: readonly string[]) => GameServer;
  /** The native document: the entry as the list of its own protocol has it. */
  readonly document: string;
}

/** The documents of the client's network would take more bytes than they may. */
export interface TooManyBytes {
  readonly is: 'too_many_bytes';
  readonly limit: number;
}

/** `listed`: the entry was not in the list before. */
export type NativeOutcome = 'listed' | 'refreshed' | AddressTaken | QuotaExceeded | TooManyBytes;

export interface NativeEntries {
  /** Lists the game server, or renews its entry. An id that has expired or was removed comes back. */
  publish(id: GameServerId, state: NativeState, caller: Pick<Caller, 'address'>): Promise<NativeOutcome>;

  /** Removes one link of the entry, which leaves the list with its last one. `unknown`: it has no such link. */
  withdraw(id: GameServerId, link: string): Promise<'withdrawn' | 'unknown'>;

  /** The native document of a listed entry in exactly this state; undefined while this replica does not have it. */
  documentOf(entry: Pick<ListedGameServer, 'id' | 'details'>): string | undefined;
}

/** The hash that stands for a document in the details of its entry. */
export function hashOfDocument(document: string): string {
  return hash('sha256', document, 'base64url').slice(0, 22);
}

/** The bytes that a document counts for its network. */
export function countedBytesOf(document: string): number {
  return Math.ceil(Buffer.byteLength(document) / DOCUMENT_UNIT_BYTES) * DOCUMENT_UNIT_BYTES;
}

/** The game server as the registry lists it while just these links live. */
export function describedBy(
  state: NativeState,
  links: readonly string[],
): GameServer & Pick<ListedGameServer, 'details'> {
  const { protocol, lifetime, describe, document } = state;
  const gameServer = describe(links);
  const details = Details.of({
    ...gameServer.details?.fields,
    protocol,
    links,
    document: hashOfDocument(document),
    lifetime: { ttlMs: lifetime.ttlMs, silentBelowMs: lifetime.silentBelowMs },
  });
  return { ...gameServer, details };
}

/** The lifetime that an entry has of its own; undefined if it lives by --ttl. */
export function lifetimeOf(details: Details): EntryLifetime | undefined {
  if (!details.areOfProtocol) return undefined;
  const { ttlMs, silentBelowMs } = (details.fields.lifetime ?? {}) as Partial<EntryLifetime>;
  return isTime(ttlMs) && isTime(silentBelowMs) ? { ttlMs, silentBelowMs } : undefined;
}

/** Whether this is a time in ms. Another program may have put anything in its place. */
function isTime(ms: unknown): ms is number {
  return Number.isSafeInteger(ms) && (ms as number) >= 0 && (ms as number) <= LONGEST_TTL_MS;
}
