/**
 * The registry of any number of replicas: Redis holds the truth, each replica a copy of the list. Knows no HTTP. Method
 * for method the twin of ../memory/memory-registry.ts. Writes are scripts (scripts.ts), guarded against what can befall
 * Redis (guarded-writes.ts); the list is read behind a barrier (list-reader.ts) from a copy that follows the feed
 * (feed-follower.ts).
 */

import { setTimeout as delay } from 'node:timers/promises';
import { DEADLINES, type Deadlines } from '../../deadlines.ts';
import type { Backend } from '../backend.ts';
import type { GameServer, GameServerId, ListedGameServer } from '../game-server.ts';
import type { Lease } from '../lease.ts';
import type { Lifetime } from '../lifetime.ts';
import { NO_QUOTAS } from '../quotas.ts';
import type { ReachabilityNotes } from '../reachability-notes.ts';
import type { RegistryRules } from '../registry-rules.ts';
import {
  systemClock,
  UNKNOWN_CALLER,
  type AnyCaller,
  type BroadcastOutcome,
  type ByJoinCode,
  type Caller,
  type Clock,
  type ListedReason,
  type Listing,
  type PingOutcome,
  type Predecessor,
  type RebroadcastOutcome,
  type RemoveOutcome,
} from '../registry.ts';
import type { Secret } from '../secret.ts';
import { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { RedisClient } from './connection/create-client.ts';
import type { RedisRegistryEvents } from './events.ts';
import { FeedFollower } from './feed/feed-follower.ts';
import { GuardedWrites } from './guarded-writes.ts';
import { RedisHistory } from './redis-history.ts';
import { createKeys } from './keys.ts';
import { ListReader } from './feed/list-reader.ts';
import { RedisModeration } from './redis-moderation.ts';
import { createScripts, type Scripts } from './scripts/scripts.ts';
import type { Broadcasted, GoneEntry, Pinged, Unknown } from './scripts/script-replies.ts';
import { SettingsKeeper } from './settings-keeper.ts';
import { sampleIntervalOf, startUpkeep } from './recovery/upkeep.ts';
import { LOSS_NOTICE_MS } from './recovery/write-back.ts';

export interface RedisRegistryOptions extends RegistryRules {
  /** Closed by the caller, after the registry. */
  readonly client: RedisClient;
  /** Several registries can share one Redis. */
  readonly registryName: string;
  readonly lifetime: Lifetime;
  /** Whether what Redis lost is restored from this replica's copy. Default: yes. */
  readonly writeBack?: boolean;
  readonly events?: Partial<RedisRegistryEvents>;
  /** For timers and the age of a stale list. */
  readonly clock?: Clock;
  /** For tests: the clock also stands in for that of Redis, by which alone deadlines are kept otherwise. */
  readonly clockRulesRedis?: boolean;
  /** For tests: how long until every replica has noticed a loss. Real ms. */
  readonly lossNoticeMs?: number;
  /** Real ms, whatever the clock. */
  readonly deadlines?: Deadlines;
}

/** How often a Redis that does not answer is tried. */
const PROBE_INTERVAL_MS = 50;

export class RedisRegistry implements Backend {
  readonly moderation: RedisModeration;
  readonly history: RedisHistory;
  readonly secret: Secret;
  readonly reachability: ReachabilityNotes = { note: (...about) => this.#noteReachability(...about) };
  readonly lease: Lease = {
    take: (name, forMs) => this.#breaker.run(() => this.#scripts.takeTurn(name, forMs)),
  };
  readonly #scripts: Scripts;
  readonly #settings: SettingsKeeper;
  readonly #events: Partial<RedisRegistryEvents>;
  readonly #breaker: CircuitBreaker;
  readonly #follower: FeedFollower;
  readonly #writes: GuardedWrites;
  readonly #reader: ListReader;
  readonly #stopUpkeep: () => void;
  #stopProbing = (): void => undefined;
  readonly #closing = new AbortController();

  constructor(options: RedisRegistryOptions) {
    const { lifetime, events = {}, clock = systemClock, quotas = NO_QUOTAS } = options;
    const { writeBack: writesBack = true, lossNoticeMs = LOSS_NOTICE_MS, deadlines = DEADLINES } = options;
    this.#events = events;
    this.#breaker = new CircuitBreaker({
      onOpen: (error) => {
        if (this.#closing.signal.aborted) return;
        this.#stopProbing = clock.every(PROBE_INTERVAL_MS, () => this.#reader.poll());
        events.onUnavailable?.(error);
      },
      onClose: () => {
        this.#stopProbing();
        events.onAvailable?.();
      },
    });
    this.#scripts = createScripts({
      client: options.client,
      keys: createKeys(options.registryName),
      lifetime,
      uniqueAddress: options.uniqueAddress,
      verifySource: options.verifySource ?? false,
      quotas,
      holdMassExpiry: options.holdMassExpiry ?? true,
      events,
      deadlines,
      ...(options.clockRulesRedis === true && { now: () => clock.now() }),
    });
    this.#settings = new SettingsKeeper(this.#scripts, options.hidesUnreached ?? false);
    const settings = this.#settings;
    this.secret = {
      get text() {
        return settings.secret;
      },
    };
    this.#follower = new FeedFollower({
      scripts: this.#scripts,
      settings: this.#settings,
      clock,
      writesBack,
      lossNoticeMs,
      events,
      signal: this.#closing.signal,
    });
    this.#reader = new ListReader({
      breaker: this.#breaker,
      follower: this.#follower,
      deadlines,
      onPoll: events.onPoll,
    });
    this.#writes = new GuardedWrites({
      breaker: this.#breaker,
      follower: this.#follower,
      readBarrier: this.#reader.barrier,
      writesBack,
      lossNoticeMs,
      deadlines,
    });
    this.moderation = new RedisModeration({
      scripts: this.#scripts,
      settings: this.#settings,
      breaker: this.#breaker,
      readBarrier: this.#reader.barrier,
      hasList: () => this.hasList,
    });
    const sampleIntervalMs = sampleIntervalOf(lifetime);
    this.history = new RedisHistory({
      scripts: this.#scripts,
      breaker: this.#breaker,
      intervalMs: sampleIntervalMs,
      writesBack,
      now: () => clock.now(),
    });
    this.#stopUpkeep = startUpkeep({
      clock,
      lifetime,
      scripts: this.#scripts,
      breaker: this.#breaker,
      moderation: this.moderation,
      sample: () => this.history.sample(this.#follower.currentWithin(2 * sampleIntervalMs)),
      poll: () => this.#reader.poll(),
    });
  }

  async broadcast(
    id: GameServerId,
    gameServer: GameServer,
    caller: AnyCaller = UNKNOWN_CALLER,
    predecessor?: Predecessor,
  ): Promise<BroadcastOutcome> {
    const isKnown = this.#follower.get(id) !== undefined;
    const { outcome, changed } = await this.#writes.runOnNew(id, () =>
      this.#noting(
        this.#scripts.broadcast(id, gameServer, caller, {
          predecessor,
          oldestRelease: this.#settings.oldestRelease,
        }),
      ),
    );
    const isNew = !isKnown && changed !== undefined && changed.version === changed.registeredVersion;
    if (isNew) this.#events.onListed?.(changed, 'new');
    return outcome;
  }

  async ping(
    id: GameServerId,
    gameServer: GameServer,
    caller: AnyCaller = UNKNOWN_CALLER,
  ): Promise<PingOutcome> {
    const outcome = await this.#writes.runOnListed(id, { caller, ip: gameServer.ip }, () =>
      this.#noting(this.#scripts.ping(id, gameServer, caller, this.#follower.get(id)), 'revived'),
    );
    return outcome as PingOutcome;
  }

  async rebroadcast(id: GameServerId, gameServer: GameServer, caller: Caller): Promise<RebroadcastOutcome> {
    const outcome = await this.#writes.runOnListed(id, { caller }, () =>
      this.#noting(this.#scripts.rebroadcast(id, gameServer, caller)),
    );
    const { ip, port } = gameServer;
    if (outcome === 'refreshed') this.#events.onListed?.({ id, ip, port }, 'again');
    return outcome as RebroadcastOutcome;
  }

  remove(id: GameServerId, ip: string, caller: AnyCaller = UNKNOWN_CALLER): Promise<RemoveOutcome> {
    return this.#remove(id, ip, caller, 'removed');
  }

  async evict(id: GameServerId): Promise<'removed' | 'unknown'> {
    return (await this.#remove(id, undefined, EVICTION, 'evicted')) as 'removed' | 'unknown';
  }

  list(): Promise<Listing> {
    return this.#reader.list();
  }

  get hasList(): boolean {
    return this.#follower.current !== undefined;
  }

  /** Resolves once there is a list, or Redis turns out not to answer, or the limit is over. */
  async untilListed(limitMs: number): Promise<void> {
    await Promise.race([this.#reader.poll(), delay(limitMs, undefined, { ref: false })]);
  }

  known(by: GameServerId | ByJoinCode): ListedGameServer | undefined {
    return typeof by === 'string' ? this.#follower.get(by) : this.#follower.withJoinCode(by.joinCode);
  }

  async entries(): Promise<Iterable<ListedGameServer>> {
    await this.#reader.barrier();
    return this.#follower.entries();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopUpkeep();
    this.#stopProbing();
  }

  async #remove(
    id: GameServerId,
    ip: string | undefined,
    caller: Pick<Caller, 'proof'>,
    why: 'removed' | 'evicted',
  ): Promise<RemoveOutcome> {
    const known = this.#follower.get(id) ?? { id, ...(ip !== undefined && { ip }) };
    const outcome = await this.#writes.runOnListed(id, { caller, ip }, async () => {
      const reply = await this.#scripts.remove(id, ip, caller);
      if (reply.outcome === 'removed' && reply.version !== undefined)
        this.#follower.unseen.noteRemoved(id, reply.version);
      return reply;
    });
    if (outcome === 'removed') this.#events.onLeft?.(known, why);
    return outcome;
  }

  /**
   * The reply to a write, once it is noted what it has changed, and told what had to go for it. `why`: what is told of an
   * entry that had expired and is listed again.
   */
  async #noting<Reply extends Broadcasted | Pinged | Unknown>(
    writing: Promise<Reply>,
    why?: ListedReason,
  ): Promise<Reply> {
    const reply = await writing;
    if ('changed' in reply && reply.changed !== undefined) {
      const { changed } = reply;
      this.#follower.unseen.noteListed(changed);
      if (why !== undefined && 'wasExpired' in reply && reply.wasExpired)
        this.#events.onListed?.(changed, why);
    }
    if ('gone' in reply) for (const each of reply.gone ?? []) this.#noteGone(each);
    return reply;
  }

  async #noteReachability(
    id: GameServerId,
    target: Pick<GameServer, 'ip' | 'port'>,
    reachability: string,
  ): Promise<void> {
    await this.#writes.run(id, () => this.#scripts.noteReachability(id, target, reachability));
  }

  #noteGone({ id, version }: GoneEntry): void {
    const known = this.#follower.get(id) ?? { id };
    if (version !== undefined) this.#follower.unseen.noteRemoved(id, version);
    this.#events.onLeft?.(known, 'replaced');
  }
}

/** A moderator needs no token. */
const EVICTION: Pick<Caller, 'proof'> = { proof: 'token' };
