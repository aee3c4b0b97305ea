/**
 * The registry of one process: needs nothing else, shares nothing, and ends with the process unless a Journal keeps it.
 * Method for method the twin of ../redis/redis-registry.ts and its scripts.
 */

import type { Backend } from '../backend.ts';
import {
  saysTheSame,
  UNKNOWN_STANDING,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
} from '../../model/game-server.ts';
import { SAMPLE_INTERVAL_MS } from '../history-record.ts';
import type { Lifetime } from '../lifetime.ts';
import type { RegistryRules } from '../registry-rules.ts';
import {
  EVICTION,
  isEntitled,
  systemClock,
  UNKNOWN_CALLER,
  type AnyCaller,
  type BroadcastOutcome,
  type ByJoinCode,
  type Caller,
  type Clock,
  type LeftReason,
  type Listing,
  type PingOutcome,
  type Predecessor,
  type Prover,
  type RebroadcastOutcome,
  type RegistryEvents,
  type RemoveOutcome,
} from '../registry.ts';
import { isSameAddress } from './address-index.ts';
import { Admission } from './admission.ts';
import { Entries } from './entries.ts';
import type { MemoryEntry } from './memory-entry.ts';
import type { Journal } from './journal.ts';
import { createKeptBeside, type KeptBeside, type MemoryHistoryOptions } from './beside/kept-beside.ts';
import { createMemoryFates } from './memory-fates.ts';
import { MemoryNativeEntries } from './memory-native-entries.ts';
import { createMemoryReachability } from './memory-reachability.ts';
import { MemoryLists } from './memory-lists.ts';
import { MemoryModeration } from './memory-moderation.ts';
import { Sweeper } from './sweeper.ts';

export interface MemoryRegistryOptions extends RegistryRules, MemoryHistoryOptions {
  readonly lifetime: Lifetime;
  readonly events?: Partial<RegistryEvents>;
  readonly clock?: Clock;
}

export class MemoryRegistry implements Backend {
  readonly moderation: MemoryModeration;
  readonly history: KeptBeside['history'];
  readonly serverHistories: Backend['serverHistories'];
  readonly secret: Backend['secret'];
  readonly nativeEntries: Backend['nativeEntries'];
  readonly fates: Backend['fates'];
  readonly reachability: Backend['reachability'];
  readonly reports: KeptBeside['reports'];
  /** There is no other replica. */
  readonly lease: Backend['lease'] = { take: async () => true };
  readonly hasList = true;
  readonly glance = (): Promise<Listing> => this.list();
  readonly #journal: Journal | undefined;
  readonly #events: Partial<RegistryEvents>;
  readonly #clock: Clock;
  readonly #timers: readonly (() => void)[];
  readonly #entries: Entries;
  readonly #sweeper: Sweeper;
  readonly #admission: Admission;
  readonly #lists: MemoryLists<MemoryEntry>;

  constructor(options: MemoryRegistryOptions) {
    const { lifetime, journal, events = {}, clock = systemClock } = options;
    const { holdMassExpiry = true } = options;
    this.#journal = journal;
    this.#events = events;
    this.#clock = clock;
    const beside = createKeptBeside(this, options, clock);
    this.history = beside.history;
    this.serverHistories = this.history.ofServers;
    this.reports = beside.reports;
    const entries = new Entries({ lifetime, clock, journal, beside, rules: options });
    this.#entries = entries;
    this.#sweeper = new Sweeper({ lifetime, entries, holdMassExpiry, events });
    this.moderation = new MemoryModeration(entries, journal);
    this.fates = createMemoryFates(entries);
    this.reachability = createMemoryReachability(entries, journal);
    this.secret = { text: entries.secret };
    const onReplaced = (entry: MemoryEntry): void => events.onLeft?.(entry, 'replaced');
    const admission = new Admission({ ...options, onReplaced }, entries, clock);
    this.#admission = admission;
    this.nativeEntries = new MemoryNativeEntries({ entries, admission, journal, clock, events });
    this.#lists = new MemoryLists(entries.list, () => this.#sweep());
    this.#sweep();
    this.#timers = [
      clock.every(lifetime.sweepIntervalMs, async () => this.#sweep()),
      clock.every(SAMPLE_INTERVAL_MS, () => this.history.sample(clock.now(), entries.list.shown)),
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
        this.#admission.quotaExceeded(id, gameServer, caller.address, { predecessor: former });
      if (refusal !== undefined) return refusal;
    }
    if (former !== undefined) this.#removeForGood(former, 'replaced');
    if (listed === undefined) {
      this.#admission.takeAddress(id, gameServer);
      entries.publish(id, gameServer, { ...UNKNOWN_STANDING, isClaimed, client: caller.address });
      this.#events.onListed?.({ id, ...gameServer }, 'new');
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
    if (outcome === 'refreshed') this.#events.onListed?.({ id, ...gameServer }, 'again');
    return outcome as RebroadcastOutcome;
  }

  remove(id: GameServerId, ip: string, caller: AnyCaller = UNKNOWN_CALLER): Promise<RemoveOutcome> {
    return this.#takeOff(id, ip, caller, 'removed');
  }

  park(id: GameServerId, ip: string, caller: Prover): Promise<RemoveOutcome> {
    return this.#takeOff(id, ip, caller, 'parked');
  }

  async evict(id: GameServerId): Promise<'removed' | 'unknown'> {
    await this.history.ofServers?.forget(id);
    return this.#takeOff(id, undefined, EVICTION, 'evicted') as Promise<'removed' | 'unknown'>;
  }

  list(): Promise<Listing> {
    return this.#lists.current();
  }

  known(by: GameServerId | ByJoinCode): ListedGameServer | undefined {
    const { list } = this.#entries;
    return typeof by === 'string' ? list.get(by) : list.withJoinCode(by.joinCode);
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    this.#sweep();
    return this.#entries.list.all();
  }

  async close(): Promise<void> {
    for (const stop of this.#timers) stop();
  }

  #removeForGood(entry: MemoryEntry, why: LeftReason): void {
    this.#entries.removeForGood(entry.id);
    this.#events.onLeft?.(entry, why);
  }

  /** Removes the entry for good, or parks it, for a caller who is entitled to that. `ip`: undefined for any. */
  async #takeOff(
    id: GameServerId,
    ip: string | undefined,
    caller: Pick<AnyCaller, 'proof'>,
    why: 'removed' | 'parked' | 'evicted',
  ): Promise<RemoveOutcome> {
    const entry = this.#entries.find(id);
    if (entry === undefined) return 'unknown';
    if (!isEntitled(caller, entry)) return 'not_owner';
    if (ip !== undefined && entry.ip !== ip) return 'ip_mismatch';
    if (why !== 'parked') this.#removeForGood(entry, why);
    else if (this.#entries.revivable.parkedUntil(id) === undefined) {
      this.#entries.park(entry);
      this.#events.onLeft?.(entry, why);
    }
    await this.#journal?.written();
    return 'removed';
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
    const isParked = entries.revivable.parkedUntil(id) !== undefined;
    if (entry === undefined || (isParked && !mayMove)) return 'unknown';
    if (!isEntitled(caller, entry)) return 'not_owner';
    if (entry.ip !== gameServer.ip && !mayMove) return 'ip_mismatch';
    const isClaimed = entry.isClaimed || caller.proof === 'token';
    let client = mayMove ? caller.address || entry.client : entry.client || caller.address;
    if (client !== entry.client) {
      const refusal = this.#admission.quotaExceeded(id, gameServer, client, { former: entry });
      if (refusal !== undefined && mayMove) return refusal;
      // The ping is no move: without room for it at this network, the entry goes on without a known client.
      if (refusal !== undefined) client = entry.client;
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
      const { reachability, seen } = isThere ? entry : UNKNOWN_STANDING;
      entries.publish(id, gameServer, { isClaimed, client, reachability, seen }, entry);
      if (listed === undefined && !mayMove) this.#events.onListed?.({ id, ...gameServer }, 'revived');
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
}
