/**
 * The listed entries of a registry in memory, in groups by their lifetime: one group for --ttl, and one for each other
 * lifetime that a protocol gives. In a group every renewal sets the deadline one TTL ahead, so appending keeps it in
 * order of deadlines.
 */

import { countedBytesOf, lifetimeOf } from '../native-entries.ts';
import { ClientCounts } from '../client-counts.ts';
import type { GameServerId } from '../../model/game-server.ts';
import { createOwnLifetime, type Lifetime } from '../lifetime.ts';
import { DeadlineMap } from './deadline-map.ts';
import type { MemoryEntry } from './memory-entry.ts';

export interface LifetimeGroup {
  readonly lifetime: Lifetime;
  readonly entries: DeadlineMap;
  /** How many entries of the group each client has. */
  readonly voters: ClientCounts;
}

export class ListedEntries {
  /** How many bytes the native documents of each client count. */
  readonly documentBytes = new ClientCounts();
  readonly #lifetime: Lifetime;
  /** The group of --ttl is the first. */
  readonly #groups: LifetimeGroup[];

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
    this.#groups = [createGroup(lifetime)];
  }

  get size(): number {
    let size = 0;
    for (const { entries } of this.#groups) size += entries.size;
    return size;
  }

  get groups(): readonly LifetimeGroup[] {
    return this.#groups;
  }

  get(id: GameServerId): MemoryEntry | undefined {
    for (const { entries } of this.#groups) {
      const entry = entries.get(id);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** Lists the entry for one TTL from `now` on, ms since the epoch, in place of another one with its id. */
  renew(entry: MemoryEntry, now: number): void {
    const group = this.#groupOf(entry);
    // Most renewals change nothing but the deadline.
    if (group.entries.get(entry.id) !== entry) {
      this.delete(entry.id);
      group.voters.add(entry.client);
      this.documentBytes.add(entry.client, bytesOfDocument(entry));
    }
    entry.expiresAt = now + group.lifetime.ttlMs;
    group.entries.append(entry);
  }

  /** Replaces the entry with the same id, which must have the same deadline, client and lifetime. */
  replace(entry: MemoryEntry): void {
    this.#groupOf(entry).entries.replace(entry);
  }

  /** Removes the entry with this id, if it is here. */
  delete(id: GameServerId): void {
    for (const { entries, voters } of this.#groups) {
      const entry = entries.get(id);
      if (entry === undefined) continue;
      voters.subtract(entry.client);
      this.documentBytes.subtract(entry.client, bytesOfDocument(entry));
      entries.delete(id);
    }
  }

  *values(): Generator<MemoryEntry, undefined> {
    for (const { entries } of this.#groups) yield* entries.values();
    return undefined;
  }

  #groupOf({ details }: MemoryEntry): LifetimeGroup {
    const own = lifetimeOf(details);
    if (own === undefined) return this.#groups[0]!;
    const { ttlMs, silentBelowMs } = own;
    let group = this.#groups.find(
      ({ lifetime }, index) =>
        index > 0 && lifetime.ttlMs === ttlMs && lifetime.silentBelowMs === silentBelowMs,
    );
    if (group === undefined) {
      group = createGroup(createOwnLifetime(this.#lifetime, own));
      this.#groups.push(group);
    }
    return group;
  }
}

/** The bytes that the native document of an entry counts; 0 if it has none. */
export function bytesOfDocument({ native }: MemoryEntry): number {
  return native === undefined ? 0 : countedBytesOf(native.document);
}

function createGroup(lifetime: Lifetime): LifetimeGroup {
  return { lifetime, entries: new DeadlineMap(), voters: new ClientCounts() };
}
