/**
 * The registry of one process: nothing to install, nothing shared, gone with the process unless a Journal keeps
 * it. Knows neither HTTP nor Redis nor files. Method for method the twin of redis/redis-registry.ts.
 */

import { randomBytes } from 'node:crypto';
import { coalesce } from '../coalesce.ts';
import {
  LATEST_VERSION_BY_CLOCK,
  looksTheSame,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../game-server.ts';
import type { Change, Journal } from './journal.ts';
import { ExpiryHold, GraceGate, isAlive, type Lifetime } from '../lifetime.ts';
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

export interface MemoryRegistryOptions {
  readonly lifetime: Lifetime;
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether the expiry of a silent majority is held for a while: yes, unless told otherwise. */
  readonly holdMassExpiry?: boolean;
  /** Whoever opened it closes it, after the registry. */
  readonly journal?: Journal;
  readonly events?: Partial<RegistryEvents>;
  readonly clock?: Clock;
}

/** As many as the tombstones that Redis keeps. */
const MOST_REMOVED = 10_000;

interface Entry {
  gameServer: GameServer;
  readonly registeredVersion: number;
  expiresAt: number;
}

export class MemoryRegistry implements Registry {
  readonly #lifetime: Lifetime;
  readonly #uniqueAddress: boolean;
  readonly #holdMassExpiry: boolean;
  readonly #journal: Journal | undefined;
  readonly #events: Partial<RegistryEvents>;
  readonly #clock: Clock;
  readonly #stopSweeping: () => void;
  readonly #grace: GraceGate;
  readonly #hold: ExpiryHold;
  readonly #builder = new SnapshotBuilder();
  /** Ordered by deadline: a renewed entry moves to the end. */
  readonly #listed = new Map<GameServerId, Entry>();
  /** Ordered by deadline too. They can still be revived. */
  readonly #expired = new Map<GameServerId, Entry>();
  /** The last to leave for good, in order: a late repetition of their broadcast must not bring them back. */
  readonly #removed = new Set<GameServerId>();
  /** The latest entry of each address. */
  readonly #addresses = new Map<string, GameServerId>();
  readonly #epoch = randomBytes(8).toString('base64url');
  #version = 0;
  /** Whether those who are due may leave, and when that was last decided. */
  #mayExpire = true;
  #decidedAt = -Infinity;
  readonly #look = coalesce(
    async () => this.#currentListing(),
    () => this.#listing?.snapshot.busy,
  );
  #listing: Listing | undefined;

  constructor(options: MemoryRegistryOptions) {
    this.#lifetime = options.lifetime;
    this.#uniqueAddress = options.uniqueAddress;
    this.#holdMassExpiry = options.holdMassExpiry ?? true;
    this.#journal = options.journal;
    this.#events = options.events ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#grace = new GraceGate(options.lifetime);
    this.#hold = new ExpiryHold(options.lifetime);
    if (this.#journal !== undefined) this.#restore(this.#journal.begin(() => this.#content()));
    this.#sweep();
    this.#stopSweeping = this.#clock.every(this.#lifetime.sweepIntervalMs, async () => {
      this.#sweep();
      // When nobody has listed for long, the first who does should not find all changes since in one heap.
      this.#builder.applyPending();
    });
  }

  async broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome> {
    if (this.#expired.has(id) || this.#removed.has(id)) return 'unlisted';
    if (!this.#listed.has(id)) {
      const version = this.#nextVersion();
      this.#show(id, { gameServer, registeredVersion: version, expiresAt: this.#deadline() });
    }
    await this.#journal?.written();
    return 'listed';
  }

  async ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome> {
    const listed = this.#listed.get(id);
    const entry = listed ?? this.#revivable(id);
    if (entry === undefined) return 'unknown';
    if (entry.gameServer.ip !== gameServer.ip) return 'ip_mismatch';
    entry.expiresAt = this.#deadline();
    if (listed !== undefined && looksTheSame(entry.gameServer, gameServer)) {
      this.#listed.delete(id);
      this.#listed.set(id, entry);
    } else {
      this.#nextVersion();
      this.#show(id, { ...entry, gameServer });
    }
    await this.#journal?.written();
    return 'refreshed';
  }

  async remove(id: GameServerId, ip: string): Promise<RemoveOutcome> {
    const entry = this.#listed.get(id) ?? this.#revivable(id);
    if (entry === undefined) return 'unknown';
    if (entry.gameServer.ip !== ip) return 'ip_mismatch';
    this.#forget(id);
    await this.#journal?.written();
    return 'removed';
  }

  /** While the list changes, all who ask together get the same Listing. */
  async list(): Promise<Listing> {
    this.#sweep();
    return this.#listing?.snapshot.version === this.#version ? this.#listing : this.#look();
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

  /** Each visible change has a version of its own: microseconds, so that they resemble those of Redis. */
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
    return entry && this.#clock.now() < entry.expiresAt + this.#lifetime.reviveWindowMs ? entry : undefined;
  }

  /** Lists the entry with what it now says of itself. The version is already the next one. */
  #show(id: GameServerId, entry: Entry): void {
    const before = this.#listed.get(id)?.gameServer;
    if (before === undefined || !isAtSameAddress(before, entry.gameServer)) {
      this.#releaseAddress(id);
      const address = addressOf(entry.gameServer);
      const holder = this.#addresses.get(address);
      if (this.#uniqueAddress && holder !== undefined) this.#forget(holder);
      this.#addresses.set(address, id);
      this.#expired.delete(id);
    }
    this.#listed.delete(id);
    this.#listed.set(id, entry);
    const listed = toListed(id, entry);
    this.#builder.set(listed);
    this.#journal?.append({ is: 'listed', ...listed });
  }

  /** Takes the entry off for good, listed or expired. */
  #forget(id: GameServerId): void {
    this.#hide(id);
    this.#expired.delete(id);
    this.#remember(id);
    this.#journal?.append({ is: 'left', id });
  }

  #remember(removed: GameServerId): void {
    this.#removed.add(removed);
    if (this.#removed.size > MOST_REMOVED) this.#removed.delete(this.#removed.values().next().value!);
  }

  #hide(id: GameServerId): void {
    if (!this.#listed.has(id)) return;
    this.#releaseAddress(id);
    this.#listed.delete(id);
    this.#builder.delete(id);
    this.#nextVersion();
  }

  #releaseAddress(id: GameServerId): void {
    const listed = this.#listed.get(id);
    if (listed === undefined) return;
    const address = addressOf(listed.gameServer);
    if (this.#addresses.get(address) === id) this.#addresses.delete(address);
  }

  /** Everybody gets a whole TTL: for how long nobody could ping is unknown. An expiry in the future is that of another clock. */
  #restore(changes: Iterable<Change>): void {
    for (const change of changes) {
      if (change.is === 'left') {
        this.#remember(change.id);
        continue;
      }
      const { id, registeredVersion } = change;
      const gameServer = toGameServer(change);
      this.#version = Math.max(this.#version, registeredVersion);
      if (change.is === 'expired') {
        const expiresAt = Math.min(change.expiresAt, this.#clock.now());
        this.#expired.set(id, { gameServer, registeredVersion, expiresAt });
        continue;
      }
      this.#listed.set(id, { gameServer, registeredVersion, expiresAt: this.#deadline() });
      this.#addresses.set(addressOf(gameServer), id);
      this.#builder.set(change);
    }
    this.#builder.applyPending();
  }

  /** The last change of each id, as it is now, however late it is read: nothing of an entry is changed but its deadline. */
  #content(): Iterable<Change> {
    const listed = [...this.#listed];
    const expired = [...this.#expired];
    const removed = [...this.#removed];
    return (function* (): Generator<Change> {
      for (const id of removed) yield { is: 'left', id };
      for (const [id, entry] of expired)
        yield { is: 'expired', ...toListed(id, entry), expiresAt: entry.expiresAt };
      for (const [id, entry] of listed) yield { is: 'listed', ...toListed(id, entry) };
    })();
  }

  #sweep(): void {
    const now = this.#clock.now();
    const gate = this.#grace.pass(now);
    if (gate === 'clock_went_back') {
      for (const entry of this.#listed.values()) {
        entry.expiresAt = Math.min(entry.expiresAt, now + this.#lifetime.ttlMs);
      }
      for (const entry of this.#expired.values()) entry.expiresAt = Math.min(entry.expiresAt, now);
    }
    if (gate !== 'open') return;
    if (this.#mayExpireAt(now)) this.#expireDue(now);
    for (const [id, entry] of this.#expired) {
      if (now < entry.expiresAt + this.#lifetime.reviveWindowMs) break;
      this.#forget(id);
    }
  }

  #expireDue(now: number): void {
    const ids: GameServerId[] = [];
    for (const [id, entry] of this.#listed) {
      if (isAlive(entry.expiresAt, now)) break;
      this.#hide(id);
      this.#expired.set(id, entry);
      this.#journal?.append({ is: 'expired', ...toListed(id, entry), expiresAt: entry.expiresAt });
      ids.push(id);
    }
    if (ids.length > 0) this.#events.onExpired?.(ids);
  }

  /** Looks for a mass silence once a sweep interval at the most: the silent have to be counted, and lists sweep too. */
  #mayExpireAt(now: number): boolean {
    const next = this.#listed.values().next().value;
    const isDue = next !== undefined && !isAlive(next.expiresAt, now);
    const isEarly = Math.abs(now - this.#decidedAt) < this.#lifetime.sweepIntervalMs;
    if (!this.#holdMassExpiry || (!isDue && !this.#hold.isNoted) || isEarly) return this.#mayExpire;

    const silence = { silent: this.#countSilent(now), listed: this.#listed.size };
    const wasHolding = this.#hold.isHolding;
    const decision = this.#hold.decide(now, silence.listed, silence.silent);
    if (decision === 'grace') this.#grace.shut(now);
    this.#mayExpire = decision === 'expire';
    this.#decidedAt = now;
    if (this.#hold.isHolding && !wasHolding) this.#events.onExpiryHeld?.(silence);
    if (wasHolding && !this.#hold.isHolding) this.#events.onExpiryReleased?.();
    return this.#mayExpire;
  }

  #countSilent(now: number): number {
    let silent = 0;
    for (const { expiresAt } of this.#listed.values()) {
      if (isAlive(expiresAt, now + this.#lifetime.silentBelowMs)) break;
      silent += 1;
    }
    return silent;
  }
}

function toListed(id: GameServerId, { gameServer, registeredVersion }: Entry): ListedGameServer {
  return { id, registeredVersion, ...gameServer };
}

function toGameServer({ host, name, port, ip, players, maxPlayers }: GameServer): GameServer {
  return { host, name, port, ip, players, maxPlayers };
}

function isAtSameAddress(a: GameServer, b: GameServer): boolean {
  return a.port === b.port && a.host === b.host && a.ip === b.ip;
}

function addressOf({ host, ip, port }: GameServer): string {
  return `${host}\n${ip}\n${port}`;
}
