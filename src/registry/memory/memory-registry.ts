/**
 * The registry of one process: needs nothing else, shares nothing, and ends with the process unless a Journal keeps it.
 * Knows neither HTTP nor Redis nor files. Method for method the twin of redis/redis-registry.ts and its scripts.
 */

import { randomBytes } from 'node:crypto';
import { coalesce } from '../coalesce.ts';
import { LATEST_VERSION_BY_CLOCK, looksTheSame, type GameServer, type GameServerId } from '../game-server.ts';
import { isAlive, isRevivable, MOST_TOMBSTONES, type Lifetime } from '../lifetime.ts';
import {
  systemClock,
  type BroadcastOutcome,
  type Clock,
  type Listing,
  type PingOutcome,
  type Registry,
  type RegistryEvents,
  type RemoveOutcome,
} from '../registry.ts';
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts';
import { AddressIndex, isSameAddress } from './address-index.ts';
import { DeadlineMap } from './deadline-map.ts';
import { createEntry, expiredChange, listedChange, type Entry } from './entry.ts';
import { ExpiryHold } from './expiry-hold.ts';
import { GraceGate } from './grace-gate.ts';
import type { Change, Journal } from './journal.ts';

export interface MemoryRegistryOptions {
  readonly lifetime: Lifetime;
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether a mass expiry is held for a while. Default: yes. */
  readonly holdMassExpiry?: boolean;
  /** Closed by the caller, after the registry. */
  readonly journal?: Journal;
  readonly events?: Partial<RegistryEvents>;
  readonly clock?: Clock;
}

export class MemoryRegistry implements Registry {
  readonly #lifetime: Lifetime;
  readonly #uniqueAddress: boolean;
  readonly #journal: Journal | undefined;
  readonly #events: Partial<RegistryEvents>;
  readonly #clock: Clock;
  readonly #stopSweeping: () => void;
  readonly #grace: GraceGate;
  readonly #hold: ExpiryHold | undefined;
  readonly #builder = new SnapshotBuilder<Entry>();
  readonly #listed = new DeadlineMap();
  readonly #expired = new DeadlineMap();
  /** The latest, in order of the removals. */
  readonly #tombstones = new Set<GameServerId>();
  readonly #addresses = new AddressIndex();
  readonly #epoch = randomBytes(8).toString('base64url');
  #version = 0;
  #listing: Listing | undefined;
  readonly #readBarrier = coalesce(async () => this.#currentListing());

  constructor(options: MemoryRegistryOptions) {
    this.#lifetime = options.lifetime;
    this.#uniqueAddress = options.uniqueAddress;
    this.#journal = options.journal;
    this.#events = options.events ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#grace = new GraceGate(options.lifetime);
    if (options.holdMassExpiry ?? true)
      this.#hold = new ExpiryHold(options.lifetime, this.#grace, this.#events);
    if (this.#journal !== undefined) this.#loadJournal(this.#journal.begin(() => this.#content()));
    this.#sweep();
    this.#stopSweeping = this.#clock.every(this.#lifetime.sweepIntervalMs, async () => this.#sweep());
  }

  async broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome> {
    if (this.#expired.has(id) || this.#tombstones.has(id)) return 'unlisted';
    if (!this.#listed.has(id)) {
      this.#claimAddress(id, gameServer);
      this.#publish(id, gameServer);
    }
    await this.#journal?.written();
    return 'listed';
  }

  async ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome> {
    const listed = this.#listed.get(id);
    const entry = listed ?? this.#revivable(id);
    if (entry === undefined) return 'unknown';
    if (entry.ip !== gameServer.ip) return 'ip_mismatch';
    if (listed !== undefined && looksTheSame(entry, gameServer)) {
      listed.expiresAt = this.#deadline();
      this.#listed.append(listed);
    } else {
      if (listed === undefined || !isSameAddress(entry, gameServer)) {
        this.#addresses.release(entry, id);
        this.#claimAddress(id, gameServer);
      }
      this.#publish(id, gameServer, entry.registeredVersion);
    }
    await this.#journal?.written();
    return 'refreshed';
  }

  async remove(id: GameServerId, ip: string): Promise<RemoveOutcome> {
    const entry = this.#listed.get(id) ?? this.#revivable(id);
    if (entry === undefined) return 'unknown';
    if (entry.ip !== ip) return 'ip_mismatch';
    this.#removeForGood(id);
    await this.#journal?.written();
    return 'removed';
  }

  /** While the list changes, all requests that come together get the same Listing. */
  async list(): Promise<Listing> {
    this.#sweep();
    return this.#listing?.snapshot.version === this.#version ? this.#listing : this.#readBarrier();
  }

  async close(): Promise<void> {
    this.#stopSweeping();
  }

  #currentListing(): Listing {
    this.#sweep();
    if (this.#listing?.snapshot.version !== this.#version) {
      this.#listing = { snapshot: this.#builder.build(this.#epoch, this.#version), staleSince: undefined };
    }
    return this.#listing;
  }

  /** Microseconds, as in Redis. Each visible change has a version of its own. */
  #nextVersion(): number {
    const byClock = Math.min(Math.floor(this.#clock.now()) * 1000, LATEST_VERSION_BY_CLOCK);
    this.#version = Math.max(this.#version + 1, byClock);
    return this.#version;
  }

  #deadline(): number {
    return this.#clock.now() + this.#lifetime.ttlMs;
  }

  #revivable(id: GameServerId): Entry | undefined {
    const entry = this.#expired.get(id);
    return entry && isRevivable(entry.expiresAt, this.#clock.now(), this.#lifetime) ? entry : undefined;
  }

  /** Makes the present state of the entry the next visible version. It is listed from now on, for one TTL. */
  #publish(id: GameServerId, gameServer: GameServer, registeredVersion?: number): void {
    const version = this.#nextVersion();
    const entry = createEntry(id, gameServer, registeredVersion ?? version, this.#deadline());
    this.#expired.delete(id);
    this.#listed.append(entry);
    this.#builder.set(entry);
    this.#journal?.append(listedChange(entry));
  }

  /** The address belongs to the id from now on. If addresses are unique, its former holder is removed for good. */
  #claimAddress(id: GameServerId, gameServer: GameServer): void {
    const holder = this.#addresses.holderOf(gameServer);
    if (this.#uniqueAddress && holder !== undefined && holder !== id) this.#removeForGood(holder);
    this.#addresses.claim(gameServer, id);
  }

  /** Takes the entry off the list, without a tombstone. Does nothing when it is not listed. */
  #unlist(id: GameServerId): void {
    const entry = this.#listed.get(id);
    if (entry === undefined) return;
    this.#addresses.release(entry, id);
    this.#listed.delete(id);
    this.#builder.delete(id);
    this.#nextVersion();
  }

  /** Takes the entry off, listed or expired, and leaves a tombstone: it cannot come back. */
  #removeForGood(id: GameServerId): void {
    this.#unlist(id);
    this.#expired.delete(id);
    this.#addTombstone(id);
    this.#journal?.append({ is: 'tombstone', id });
  }

  #addTombstone(id: GameServerId): void {
    this.#tombstones.add(id);
    if (this.#tombstones.size > MOST_TOMBSTONES)
      this.#tombstones.delete(this.#tombstones.values().next().value!);
  }

  #sweep(): void {
    const now = this.#clock.now();
    const gate = this.#grace.pass(now);
    if (gate === 'clock_went_back') this.#limitDeadlines(now);
    if (gate !== 'open') return;
    if (this.#hold?.mayExpire(now, this.#listed) ?? true) this.#expireDue(now);
    for (const entry of this.#expired.values()) {
      if (isRevivable(entry.expiresAt, now, this.#lifetime)) break;
      this.#removeForGood(entry.id);
    }
  }

  #expireDue(now: number): void {
    const ids: GameServerId[] = [];
    for (const entry of this.#listed.values()) {
      if (isAlive(entry.expiresAt, now)) break;
      this.#unlist(entry.id);
      this.#expired.append(entry);
      this.#journal?.append(expiredChange(entry));
      ids.push(entry.id);
    }
    if (ids.length > 0) this.#events.onExpired?.(ids);
  }

  /** No deadline lies further ahead than a ping at `now` would set it. */
  #limitDeadlines(now: number): void {
    for (const entry of this.#listed.values())
      entry.expiresAt = Math.min(entry.expiresAt, now + this.#lifetime.ttlMs);
    for (const entry of this.#expired.values()) entry.expiresAt = Math.min(entry.expiresAt, now);
  }

  /** Each listed entry gets a whole TTL, because the pings since the journal ended could not arrive. */
  #loadJournal(changes: Iterable<Change>): void {
    for (const change of changes) {
      if (change.is === 'tombstone') {
        this.#addTombstone(change.id);
        continue;
      }
      const { id, registeredVersion } = change;
      this.#version = Math.max(this.#version, registeredVersion);
      if (change.is === 'expired') {
        // A time that is still to come is that of another clock.
        const expiresAt = Math.min(change.expiresAt, this.#clock.now());
        this.#expired.append(createEntry(id, change, registeredVersion, expiresAt));
      } else {
        const entry = createEntry(id, change, registeredVersion, this.#deadline());
        this.#listed.append(entry);
        this.#addresses.claim(entry, id);
        this.#builder.set(entry);
      }
    }
  }

  /** The last change of each id, as it is at the call, however late it is read. */
  #content(): Iterable<Change> {
    const [tombstones, expired, listed] = [
      [...this.#tombstones],
      [...this.#expired.values()],
      [...this.#listed.values()],
    ];
    return (function* (): Generator<Change> {
      for (const id of tombstones) yield { is: 'tombstone', id };
      for (const entry of expired) yield expiredChange(entry);
      for (const entry of listed) yield listedChange(entry);
    })();
  }
}
