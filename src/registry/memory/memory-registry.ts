/**
 * The registry of one process: needs nothing else, shares nothing, and ends with the process unless a Journal keeps it.
 * Knows neither HTTP nor Redis nor files. Method for method the twin of redis/redis-registry.ts and its scripts.
 */

import { randomBytes } from 'node:crypto';
import { coalesce } from '../coalesce.ts';
import type { BanSubject } from '../ban-matcher.ts';
import {
  LATEST_VERSION_BY_CLOCK,
  looksTheSame,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
  type Standing,
} from '../game-server.ts';
import { networkOf } from '../ip.ts';
import { isAlive, isRevivable, MOST_TOMBSTONES, type Lifetime } from '../lifetime.ts';
import { withoutExpired, type Ban, type Moderation } from '../moderation.ts';
import { NO_QUOTAS, type Quotas } from '../quotas.ts';
import {
  isEntitled,
  systemClock,
  UNKNOWN_CALLER,
  type AddressTaken,
  type BroadcastOutcome,
  type Caller,
  type Clock,
  type Listing,
  type PingOutcome,
  type QuotaExceeded,
  type RebroadcastOutcome,
  type Registry,
  type RegistryEvents,
  type RemoveOutcome,
} from '../registry.ts';
import { ShownRules } from '../shown-rules.ts';
import { SnapshotBuilder } from '../snapshot/snapshot-builder.ts';
import { AddressIndex, isSameAddress } from './address-index.ts';
import { ClientCounts } from './client-counts.ts';
import { DeadlineMap } from './deadline-map.ts';
import { createEntry, expiredChange, listedChange, type Entry } from './entry.ts';
import { ExpiryHold } from './expiry-hold.ts';
import { GraceGate } from './grace-gate.ts';
import { SETTINGS_ID, type Change, type Journal, type SettingsChange } from './journal.ts';

export interface MemoryRegistryOptions {
  readonly lifetime: Lifetime;
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether an IP is known to be that of its sender: then a broadcast replaces a claimed entry too. Default: no. */
  readonly verifySource?: boolean;
  /** Default: none. */
  readonly quotas?: Quotas;
  /** Whether entries that have not been reached are not shown. Default: no. */
  readonly hidesUnreached?: boolean;
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
  readonly #verifySource: boolean;
  readonly #quotas: Quotas;
  readonly #journal: Journal | undefined;
  readonly #events: Partial<RegistryEvents>;
  readonly #clock: Clock;
  readonly #stopSweeping: () => void;
  readonly #grace: GraceGate;
  readonly #hold: ExpiryHold | undefined;
  readonly #builder = new SnapshotBuilder<Entry>((entry) => this.#rules.isShown(entry));
  readonly #listed = new DeadlineMap();
  readonly #expired = new DeadlineMap();
  /** The latest, in order of the removals. */
  readonly #tombstones = new Set<GameServerId>();
  readonly #addresses = new AddressIndex();
  readonly #clients = new ClientCounts();
  #secret = randomBytes(32).toString('base64url');
  #rules: ShownRules;
  readonly #epoch = randomBytes(8).toString('base64url');
  #version = 0;
  #listing: Listing | undefined;
  readonly #readBarrier = coalesce(async () => this.#currentListing());

  constructor(options: MemoryRegistryOptions) {
    this.#lifetime = options.lifetime;
    this.#uniqueAddress = options.uniqueAddress;
    this.#verifySource = options.verifySource ?? false;
    this.#quotas = options.quotas ?? NO_QUOTAS;
    this.#rules = new ShownRules(options.hidesUnreached ?? false);
    this.#journal = options.journal;
    this.#events = options.events ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#grace = new GraceGate(options.lifetime);
    if (options.holdMassExpiry ?? true)
      this.#hold = new ExpiryHold(options.lifetime, this.#grace, this.#events);
    if (this.#journal !== undefined) this.#loadJournal(this.#journal.begin(() => this.#content()));
    this.#journal?.append(this.#settings());
    this.#sweep();
    this.#stopSweeping = this.#clock.every(this.#lifetime.sweepIntervalMs, async () => this.#sweep());
  }

  async broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller = UNKNOWN_CALLER,
  ): Promise<BroadcastOutcome> {
    if (this.#expired.has(id) || this.#tombstones.has(id)) return 'unlisted';
    const listed = this.#listed.get(id);
    const isClaimed = caller.proof === 'token';
    if (listed === undefined) {
      const refusal =
        this.#addressTaken(id, gameServer) ?? this.#quotaExceeded(id, gameServer, caller.address);
      if (refusal !== undefined) return refusal;
      this.#takeAddress(id, gameServer);
      this.#clients.add(caller.address);
      this.#publish(id, gameServer, { isClaimed, client: caller.address, reachability: '' });
    } else if (isClaimed && !listed.isClaimed) {
      this.#publish(id, listed, { ...listed, isClaimed }, listed.registeredVersion);
    }
    await this.#journal?.written();
    return 'listed';
  }

  ping(id: GameServerId, gameServer: GameServer, caller = UNKNOWN_CALLER): Promise<PingOutcome> {
    return this.#renew(id, gameServer, caller, (entry) =>
      entry.ip === gameServer.ip ? entry.client || caller.address : undefined,
    );
  }

  async rebroadcast(id: GameServerId, gameServer: GameServer, caller: Caller): Promise<RebroadcastOutcome> {
    const outcome = await this.#renew(id, gameServer, caller, (entry) => caller.address || entry.client);
    return outcome as RebroadcastOutcome;
  }

  async remove(id: GameServerId, ip: string, caller = UNKNOWN_CALLER): Promise<RemoveOutcome> {
    const entry = this.#listed.get(id) ?? this.#revivable(id);
    if (entry === undefined) return 'unknown';
    if (!isEntitled(caller, entry)) return 'not_owner';
    if (entry.ip !== ip) return 'ip_mismatch';
    return this.evict(id);
  }

  async evict(id: GameServerId): Promise<'removed' | 'unknown'> {
    if ((this.#listed.get(id) ?? this.#revivable(id)) === undefined) return 'unknown';
    this.#removeForGood(id);
    await this.#journal?.written();
    return 'removed';
  }

  /** While the list changes, all requests that come together get the same Listing. */
  async list(): Promise<Listing> {
    this.#sweep();
    return this.#listing?.snapshot.version === this.#version ? this.#listing : this.#readBarrier();
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    this.#sweep();
    return this.#builder.all();
  }

  known(id: GameServerId): ListedGameServer | undefined {
    return this.#listed.get(id);
  }

  async noteReachability(
    id: GameServerId,
    { ip, port }: Pick<GameServer, 'ip' | 'port'>,
    reachability: string,
  ): Promise<void> {
    const entry = this.#listed.get(id);
    if (entry?.ip !== ip || entry.port !== port || entry.reachability === reachability) return;
    this.#publish(id, entry, { ...entry, reachability }, entry.registeredVersion, entry.expiresAt);
    await this.#journal?.written();
  }

  /** There is no other replica. */
  async takeTurn(): Promise<boolean> {
    return true;
  }

  get secret(): string {
    return this.#secret;
  }

  get moderation(): Moderation {
    return this.#rules.moderation;
  }

  findBan(subject: BanSubject): Ban | undefined {
    return this.#rules.bans.find(subject);
  }

  async moderate(change: (decided: Moderation) => Moderation): Promise<Moderation> {
    const moderation = change(this.moderation);
    if (moderation === this.moderation) return moderation;
    this.#rules = this.#rules.after(moderation);
    this.#journal?.append(this.#settings());
    await this.#builder.reconsider();
    this.#nextVersion();
    await this.#journal?.written();
    return moderation;
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

  /**
   * Gives the entry a new deadline and takes over what its game server says. `clientOf`: the client from now on,
   * undefined if the IP must not be this one.
   */
  async #renew(
    id: GameServerId,
    gameServer: GameServer,
    caller: Caller,
    clientOf: (entry: Entry) => string | undefined,
  ): Promise<PingOutcome> {
    const listed = this.#listed.get(id);
    const entry = listed ?? this.#revivable(id);
    if (entry === undefined) return 'unknown';
    if (!isEntitled(caller, entry)) return 'not_owner';
    const client = clientOf(entry);
    if (client === undefined) return 'ip_mismatch';
    const isClaimed = entry.isClaimed || caller.proof === 'token';
    const hasStanding = isClaimed === entry.isClaimed && client === entry.client;
    if (listed !== undefined && hasStanding && looksTheSame(entry, gameServer)) {
      listed.expiresAt = this.#deadline();
      this.#listed.append(listed);
    } else {
      const isThere = isSameAddress(entry, gameServer);
      if (listed === undefined || !isThere) {
        const refusal = this.#addressTaken(id, gameServer);
        if (refusal !== undefined) return refusal;
        this.#addresses.release(entry, id);
        this.#takeAddress(id, gameServer);
      }
      this.#clients.subtract(entry.client);
      this.#clients.add(client);
      const reachability = isThere ? entry.reachability : '';
      this.#publish(id, gameServer, { isClaimed, client, reachability }, entry.registeredVersion);
    }
    await this.#journal?.written();
    return 'refreshed';
  }

  /** Makes the present state of the entry the next visible version. It is listed from now on, by default for one TTL. */
  #publish(
    id: GameServerId,
    gameServer: GameServer,
    standing: Standing,
    registeredVersion?: number,
    expiresAt = this.#deadline(),
  ): void {
    const version = this.#nextVersion();
    const entry = createEntry(id, gameServer, standing, registeredVersion ?? version, expiresAt);
    this.#expired.delete(id);
    this.#listed.append(entry);
    this.#builder.set(entry);
    this.#journal?.append(listedChange(entry));
  }

  /** The entry that has to go for the id to have this address. */
  #rival(id: GameServerId, gameServer: GameServer): Entry | undefined {
    const holder = this.#uniqueAddress ? this.#addresses.holderOf(gameServer) : undefined;
    return holder === undefined || holder === id ? undefined : this.#listed.get(holder);
  }

  #addressTaken(id: GameServerId, gameServer: GameServer): AddressTaken | undefined {
    const rival = this.#verifySource ? undefined : this.#rival(id, gameServer);
    if (rival?.isClaimed !== true) return undefined;
    return { is: 'address_taken', forMs: Math.max(0, rival.expiresAt - this.#clock.now()) };
  }

  /** The address belongs to the id from now on. If addresses are unique, its former holder is removed for good. */
  #takeAddress(id: GameServerId, gameServer: GameServer): void {
    const rival = this.#rival(id, gameServer);
    if (rival !== undefined) this.#removeForGood(rival.id);
    this.#addresses.take(gameServer, id);
  }

  /** Whether one more entry of this client would be too many, less the one whose place it takes. */
  #quotaExceeded(id: GameServerId, gameServer: GameServer, client: string): QuotaExceeded | undefined {
    const { maxServers, maxServersPerAddress, isExempt } = this.#quotas;
    if (isExempt(client)) return undefined;
    const rival = this.#rival(id, gameServer);
    const count = this.#listed.size + this.#expired.size - (rival === undefined ? 0 : 1);
    if (count >= maxServers) return { is: 'quota_exceeded', of: 'all', limit: maxServers, count };
    const isOwnRival = rival !== undefined && networkOf(rival.client) === networkOf(client);
    const own = this.#clients.of(client) - (isOwnRival ? 1 : 0);
    if (own < maxServersPerAddress) return undefined;
    return { is: 'quota_exceeded', of: 'address', limit: maxServersPerAddress, count: own };
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
    const { client = '' } = this.#listed.get(id) ?? this.#expired.get(id) ?? {};
    this.#clients.subtract(client);
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
    if (this.#rules.hasExpired(now)) void this.moderate((decided) => withoutExpired(decided, now));
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
    const all = [...changes];
    const settings = all.find((change) => change.is === 'settings');
    if (settings !== undefined) {
      this.#secret = settings.secret;
      this.#rules = this.#rules.after(settings.moderation);
    }
    for (const change of all) {
      if (change.is === 'settings') continue;
      if (change.is === 'tombstone') {
        this.#addTombstone(change.id);
        continue;
      }
      const { id, registeredVersion, client } = change;
      this.#clients.add(client);
      this.#version = Math.max(this.#version, registeredVersion);
      if (change.is === 'expired') {
        // A time that is still to come is that of another clock.
        const expiresAt = Math.min(change.expiresAt, this.#clock.now());
        this.#expired.append(createEntry(id, change, change, registeredVersion, expiresAt));
      } else {
        const entry = createEntry(id, change, change, registeredVersion, this.#deadline());
        this.#listed.append(entry);
        this.#addresses.take(entry, id);
        this.#builder.set(entry);
      }
    }
  }

  #settings(): SettingsChange {
    return { is: 'settings', id: SETTINGS_ID, secret: this.#secret, moderation: this.moderation };
  }

  /** The last change of each id, as it is at the call, however late it is read. */
  #content(): Iterable<Change> {
    const [tombstones, expired, listed] = [
      [...this.#tombstones],
      [...this.#expired.values()],
      [...this.#listed.values()],
    ];
    const settings = this.#settings();
    return (function* (): Generator<Change> {
      yield settings;
      for (const id of tombstones) yield { is: 'tombstone', id };
      for (const entry of expired) yield expiredChange(entry);
      for (const entry of listed) yield listedChange(entry);
    })();
  }
}
