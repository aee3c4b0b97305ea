/**
 * The entries of a registry in memory that are off the list and can come back: expired ones by a ping, parked ones by
 * their token alone. `expiresAt` of an entry here is when it left: the deadline that it missed, or when it was parked.
 */

import type { GameServerId } from '../../model/game-server.ts';
import { isRevivable, type Lifetime } from '../lifetime.ts';
import { DeadlineMap } from './deadline-map.ts';
import { ExpiredEntries } from './expired-entries.ts';
import type { Change } from './journal.ts';
import { expiredChange, parkedChange, type MemoryEntry } from './memory-entry.ts';

export class RevivableEntries {
  readonly #lifetime: Lifetime;
  readonly #expired = new ExpiredEntries();
  readonly #parked = new DeadlineMap();

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
  }

  get size(): number {
    return this.#expired.size + this.#parked.size;
  }

  has(id: GameServerId): boolean {
    return this.get(id) !== undefined;
  }

  /** The entry, which may have lapsed. */
  get(id: GameServerId): MemoryEntry | undefined {
    return this.#expired.get(id) ?? this.#parked.get(id);
  }

  /** Until when the entry is parked, ms since the epoch; undefined if it is not parked. */
  parkedUntil(id: GameServerId): number | undefined {
    const parked = this.#parked.get(id);
    return parked && parked.expiresAt + this.#lifetime.keepIdMs;
  }

  /** The entry, if it can still come back at `now`, ms since the epoch. */
  find(id: GameServerId, now: number): MemoryEntry | undefined {
    const { reviveWindowMs, keepIdMs } = this.#lifetime;
    const expired = this.#expired.get(id);
    if (expired !== undefined)
      return isRevivable(expired.expiresAt, now, reviveWindowMs) ? expired : undefined;
    const parked = this.#parked.get(id);
    return parked && isRevivable(parked.expiresAt, now, keepIdMs) ? parked : undefined;
  }

  /** The entries that this client let expire last, the latest first. Some may have lapsed. */
  latestExpiredOf(client: string): readonly MemoryEntry[] {
    return this.#expired.latestOf(client);
  }

  addExpired(entry: MemoryEntry): void {
    this.#expired.append(entry);
  }

  addParked(entry: MemoryEntry): void {
    this.#expired.delete(entry.id);
    this.#parked.append(entry);
  }

  delete(id: GameServerId): void {
    this.#expired.delete(id);
    this.#parked.delete(id);
  }

  /** The entries that cannot come back any more at `now`, ms since the epoch. The caller may delete each. */
  *lapsed(now: number): Generator<MemoryEntry, undefined> {
    const { reviveWindowMs, keepIdMs } = this.#lifetime;
    for (const entry of this.#expired.values()) {
      if (isRevivable(entry.expiresAt, now, reviveWindowMs)) break;
      yield entry;
    }
    for (const entry of this.#parked.values()) {
      if (isRevivable(entry.expiresAt, now, keepIdMs)) break;
      yield entry;
    }
    return undefined;
  }

  /** Lets no entry have left after `now`, ms since the epoch: the clock went back. */
  limit(now: number): void {
    for (const entry of [...this.#expired.values(), ...this.#parked.values()])
      entry.expiresAt = Math.min(entry.expiresAt, now);
  }

  /** The change of each entry for the journal, as it is at the call. */
  changes(): readonly Change[] {
    return [
      ...[...this.#expired.values()].map(expiredChange),
      ...[...this.#parked.values()].map(parkedChange),
    ];
  }
}
