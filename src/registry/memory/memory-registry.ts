/**
 * The registry of one process: needs nothing else, shares nothing, and ends with the process unless a Journal keeps it.
 * Method for method the twin of ../redis/redis-registry.ts and its scripts.
 */

import type { Backend } from '../backend.ts';
import { coalesce } from '../../runtime/coalesce.ts';
import {
  saysTheSame,
  UNKNOWN_STANDING,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../model/game-server.ts';
import { SAMPLE_INTERVAL_MS, type HistoryRecord } from '../history-record.ts';
import { networkOf } from '../../model/net/ip.ts';
import type { Lifetime } from '../lifetime.ts';
import type { RegistryRules } from '../registry-rules.ts';
import {
  isEntitled,
  systemClock,
  UNKNOWN_CALLER,
  type AnyCaller,
  type BroadcastOutcome,
  type ByJoinCode,
  type Caller,
  type Clock,
  type LeftReason,
  type ListedReason,
  type Listing,
  type PingOutcome,
  type Predecessor,
  type RebroadcastOutcome,
  type RegistryEvents,
  type RemoveOutcome,
} from '../registry.ts';
import { isSameAddress } from './address-index.ts';
import { Admission } from './admission.ts';
import { Entries } from './entries.ts';
import type { MemoryEntry } from './memory-entry.ts';
import type { Journal } from './journal.ts';
import { MemoryNativeEntries } from './memory-native-entries.ts';
import { MemoryModeration } from './memory-moderation.ts';
import { Sweeper } from './sweeper.ts';

export interface MemoryRegistryOptions extends RegistryRules {
  readonly lifetime: Lifetime;
  /** The caller closes it, after the registry. */
  readonly journal?: Journal;
  /** The history that it begins with. */
  readonly past?: HistoryRecord | undefined;
  readonly events?: Partial<RegistryEvents>;
  readonly clock?: Clock;
}

export class MemoryRegistry implements Backend {
  readonly moderation: MemoryModeration;
  readonly history: Backend['history'];
  readonly secret: Backend['secret'];
  readonly nativeEntries: Backend['nativeEntries'];
  readonly fates: Backend['fates'] = { of: async (id) => this.#entries.fateOf(id) };
  readonly reachability: Backend['reachability'] = { note: (...about) => this.#noteReachability(...about) };
  /** There is no other replica. */
  readonly lease: Backend['lease'] = { take: async () => true };
  readonly hasList = true;
  readonly #journal: Journal | undefined;
  readonly #events: Partial<RegistryEvents>;
  readonly #clock: Clock;
  readonly #timers: readonly (() => void)[];
  readonly #entries: Entries;
  readonly #sweeper: Sweeper;
  readonly #admission: Admission;
  #listing: Listing | undefined;
  readonly #readBarrier = coalesce(async () => this.#currentListing());

  constructor(options: MemoryRegistryOptions) {
    const { lifetime, journal, past, events = {}, clock = systemClock } = options;
    const { hidesUnreached = false, holdMassExpiry = true } = options;
    this.#journal = journal;
    this.#events = events;
    this.#clock = clock;
    const entries = new Entries({ lifetime, clock, journal, past, hidesUnreached });
    this.#entries = entries;
    this.#sweeper = new Sweeper({ lifetime, entries, holdMassExpiry, events });
    this.moderation = new MemoryModeration(entries, journal);
    this.history = entries.history;
    this.secret = { text: entries.secret };
    const onReplaced = (entry: MemoryEntry): void => events.onLeft?.(entry, 'replaced');
    const admission = new Admission({ ...options, onReplaced }, entries, lifetime, clock);
    this.#admission = admission;
    this.nativeEntries = new MemoryNativeEntries({ entries, admission, journal, clock, events });
    this.#sweep();
    this.#timers = [
      clock.every(lifetime.sweepIntervalMs, async () => this.#sweep()),
      clock.every(SAMPLE_INTERVAL_MS, async () => entries.history.sample(clock.now(), entries.list.shown)),
    ];
  }

  async broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller: AnyCaller = UNKNOWN_CALLER,
    predecessor?: Predecessor,
  ): Promise<BroadcastOutcome> {
    const entries = this.#entries;
    const former = predecessor && entries.find(predecessor.id);
    if (former !== undefined && predecessor!.proof !== 'token') return 'not_owner';
    if (entries.isOff(id)) return 'unlisted';
    const listed = entries.listed.get(id);
    const isClaimed = caller.proof === 'token';
    if (listed === undefined) {
      const refusal =
        this.#admission.addressTaken(id, gameServer) ??
        this.#admission.quotaExceeded(id, gameServer, caller.address, former);
      if (refusal !== undefined) return refusal;
    }
    if (former !== undefined) this.#removeForGood(former, 'replaced');
    if (listed === undefined) {
      this.#admission.takeAddress(id, gameServer);
      entries.publish(id, gameServer, { ...UNKNOWN_STANDING, isClaimed, client: caller.address });
      this.#tellListed(id, gameServer, 'new');
    } else if (isClaimed && !listed.isClaimed) {
      entries.publish(id, listed, { ...listed, isClaimed }, listed);
    }
    await this.#journal?.written();
    return 'listed';
  }

  ping(id: GameServerId, gameServer: GameServer, caller: AnyCaller = UNKNOWN_CALLER): Promise<PingOutcome> {
    return this.#renew(id, gameServer, caller, false) as Promise<PingOutcome>;
  }

  async rebroadcast(id: GameServerId, gameServer: GameServer, caller: Caller): Promise<RebroadcastOutcome> {
    const outcome = await this.#renew(id, gameServer, caller, true);
    if (outcome === 'refreshed') this.#tellListed(id, gameServer, 'again');
    return outcome as RebroadcastOutcome;
  }

  async remove(id: GameServerId, ip: string, caller: AnyCaller = UNKNOWN_CALLER): Promise<RemoveOutcome> {
    const entry = this.#entries.find(id);
    if (entry === undefined) return 'unknown';
    if (!isEntitled(caller, entry)) return 'not_owner';
    if (entry.ip !== ip) return 'ip_mismatch';
    this.#removeForGood(entry, 'removed');
    await this.#journal?.written();
    return 'removed';
  }

  async evict(id: GameServerId): Promise<'removed' | 'unknown'> {
    const entry = this.#entries.find(id);
    if (entry === undefined) return 'unknown';
    this.#removeForGood(entry, 'evicted');
    await this.#journal?.written();
    return 'removed';
  }

  /** While the list changes, all requests that come together get the same Listing. */
  async list(): Promise<Listing> {
    this.#sweep();
    const isCurrent = this.#listing?.snapshot.version === this.#entries.list.version;
    return isCurrent ? this.#listing! : this.#readBarrier();
  }

  known(by: GameServerId | ByJoinCode): ListedGameServer | undefined {
    return typeof by === 'string'
      ? this.#entries.listed.get(by)
      : this.#entries.list.withJoinCode(by.joinCode);
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    this.#sweep();
    return this.#entries.list.all();
  }

  async close(): Promise<void> {
    for (const stop of this.#timers) stop();
  }

  #currentListing(): Listing {
    this.#sweep();
    if (this.#listing?.snapshot.version !== this.#entries.list.version)
      this.#listing = { snapshot: this.#entries.list.build(), staleSince: undefined };
    return this.#listing;
  }

  #removeForGood(entry: MemoryEntry, why: LeftReason): void {
    this.#entries.removeForGood(entry.id);
    this.#events.onLeft?.(entry, why);
  }

  async #noteReachability(
    id: GameServerId,
    { ip, port }: Pick<GameServer, 'ip' | 'port'>,
    reachability: string,
  ): Promise<void> {
    const entry = this.#entries.listed.get(id);
    if (entry?.ip !== ip || entry.port !== port || entry.reachability === reachability) return;
    this.#entries.noteReachability(entry, reachability);
    await this.#journal?.written();
  }

  /** Gives the entry a new deadline and takes over what its game server says. `mayMove`: the IP may be another. */
  async #renew(
    id: GameServerId,
    gameServer: GameServer,
    caller: AnyCaller,
    mayMove: boolean,
  ): Promise<PingOutcome | RebroadcastOutcome> {
    const entries = this.#entries;
    const listed = entries.listed.get(id);
    const entry = listed ?? entries.find(id);
    if (entry === undefined) return 'unknown';
    if (!isEntitled(caller, entry)) return 'not_owner';
    if (entry.ip !== gameServer.ip && !mayMove) return 'ip_mismatch';
    const isClaimed = entry.isClaimed || caller.proof === 'token';
    const client = mayMove ? caller.address || entry.client : entry.client || caller.address;
    if (client !== entry.client && networkOf(client) !== networkOf(entry.client)) {
      const refusal = mayMove && this.#admission.clientQuotaExceeded(id, gameServer, client);
      if (refusal) return refusal;
    }
    const hasStanding = isClaimed === entry.isClaimed && client === entry.client;
    if (listed !== undefined && hasStanding && saysTheSame(gameServer, entry)) entries.renew(listed);
    else {
      const isThere = isSameAddress(entry, gameServer);
      if (listed === undefined || !isThere) {
        const refusal = this.#admission.addressTaken(id, gameServer);
        if (refusal !== undefined) return refusal;
        entries.addresses.release(entry, id);
        this.#admission.takeAddress(id, gameServer);
      }
      const reachability = isThere ? entry.reachability : '';
      entries.publish(id, gameServer, { isClaimed, client, reachability }, entry);
      if (listed === undefined && !mayMove) this.#tellListed(id, gameServer, 'revived');
    }
    await this.#journal?.written();
    return 'refreshed';
  }

  #sweep(): void {
    const now = this.#clock.now();
    void this.moderation.keep(now);
    this.#sweeper.sweep(now);
    this.#admission.removeLapsed();
  }

  #tellListed(id: GameServerId, { ip, port }: GameServer, why: ListedReason): void {
    this.#events.onListed?.({ id, ip, port }, why);
  }
}
