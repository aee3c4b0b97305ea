/**
 * The port of entries that another protocol lists (protocols/): beside the Registry, with ids that their protocol
 * derives, a lifetime of their own, and a native document. Each is claimed from birth, so that no ping or remove of
 * this API touches it, and counts as reached: its protocol has seen it answer. What a protocol says on the wire is
 * nothing of the registry's.
 */

import { hash } from 'node:crypto';
import { Details } from '../model/fields/details.ts';
import type { GameServer, GameServerId, ListedGameServer } from '../model/game-server.ts';
import { LONGEST_TTL_MS } from './lifetime.ts';
import type { AddressTaken, Caller, QuotaExceeded } from './registry.ts';

/** The times of an entry, in place of those of --ttl. In ms. */
export interface EntryLifetime {
  /** How long each of its links lives after it was published. */
  readonly ttlMs: number;
  /** An entry with less than this left to live has missed a heartbeat: it is silent. */
  readonly silentBelowMs: number;
}

/** A native document has so many bytes at most. */
export const MOST_DOCUMENT_BYTES = 32 * 1024;

/** An entry has so many links at most. */
export const MOST_LINKS = 8;

/** What a game server has said by another protocol, once that has proved its address. */
export interface NativeState {
  /** The name of the protocol, as in `ddnet`. */
  readonly protocol: string;
  readonly lifetime: EntryLifetime;
  /**
   * The address that was proved, in the words of the protocol, without spaces and commas. An entry can have several,
   * and lives as long as any of them. One that has lapsed is dropped when the entry is published next.
   */
  readonly link: string;
  /**
   * What the list shows while just these links live, the oldest first. Its details say what is kept of the entry; its
   * protocol, links, document and lifetime are added. It must be pure: it may be asked for several sets of links.
   */
  readonly describe: (links: readonly string[]) => GameServer;
  /** The native document: what the entry is in the list of its own protocol. */
  readonly document: string;
}

/** `listed`: it was not in the list. */
export type NativeOutcome = 'listed' | 'refreshed' | AddressTaken | QuotaExceeded;

export interface NativeEntries {
  /** Lists the game server or renews it, whatever was with its id before: an id that has left comes back. */
  publish(id: GameServerId, state: NativeState, caller: Pick<Caller, 'address'>): Promise<NativeOutcome>;

  /** Takes one link off the entry. The entry leaves with its last. `unknown`: it has no such link. */
  withdraw(id: GameServerId, link: string): Promise<'withdrawn' | 'unknown'>;

  /** The native document of a listed entry in just this state; undefined while this replica does not have it. */
  documentOf(entry: Pick<ListedGameServer, 'id' | 'details'>): string | undefined;

  /** How many bytes the documents of this client's network take, as far as they are known here. */
  documentBytesOf(client: string): number;
}

/** The hash by which a document is known. */
export function hashOfDocument(document: string): string {
  return hash('sha256', document, 'base64url').slice(0, 22);
}

/** The game server as it is listed while just these links live. */
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

/** The lifetime of its own that an entry has; undefined if it lives by --ttl. */
export function lifetimeOf(details: Details): EntryLifetime | undefined {
  if (!details.areOfProtocol) return undefined;
  const { ttlMs, silentBelowMs } = (details.fields.lifetime ?? {}) as Partial<EntryLifetime>;
  return isTime(ttlMs) && isTime(silentBelowMs) ? { ttlMs, silentBelowMs } : undefined;
}

/** Also of what another program has put in its place. */
function isTime(ms: unknown): ms is number {
  return Number.isSafeInteger(ms) && (ms as number) >= 0 && (ms as number) <= LONGEST_TTL_MS;
}
