/**
 * The registry of any number of replicas: Redis holds the truth, each replica a copy of the list. Knows no HTTP. Method
 * for method the twin of ../memory/memory-registry.ts. Writes are scripts (scripts.ts), guarded against what can befall
 * Redis (guarded-writes.ts); the list comes from the follower of the feed (feed-follower.ts).
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../errors.ts';
import { coalesce } from '../coalesce.ts';
import type { GameServer, GameServerId } from '../game-server.ts';
import type { Lifetime } from '../lifetime.ts';
import {
  systemClock,
  type BroadcastOutcome,
  type Clock,
  type Listing,
  type PingOutcome,
  type Registry,
  type RemoveOutcome,
} from '../registry.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { RedisClient } from './connection/create-client.ts';
import { withinDeadline } from './deadline.ts';
import type { RedisRegistryEvents } from './events.ts';
import { FeedFollower, type CurrentList } from './feed-follower.ts';
import { GuardedWrites } from './guarded-writes.ts';
import { createKeys } from './keys.ts';
import { createScripts, type Scripts } from './scripts.ts';
import { LOSS_NOTICE_MS } from './write-back.ts';

export interface RedisRegistryOptions {
  /** Closed by the caller, after the registry. */
  readonly client: RedisClient;
  /** Several registries can share one Redis. */
  readonly registryName: string;
  readonly lifetime: Lifetime;
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether a mass expiry is held for a while. Default: yes. */
  readonly holdMassExpiry?: boolean;
  /** Whether what Redis lost is restored from this replica's copy. Default: yes. */
  readonly writeBack?: boolean;
  readonly events?: Partial<RedisRegistryEvents>;
  /** For timers and the age of a stale list. */
  readonly clock?: Clock;
  /** For tests: the clock also stands in for that of Redis, by which alone deadlines are kept otherwise. */
  readonly clockRulesRedis?: boolean;
  /** For tests: how long until every replica has noticed a loss. Real ms. */
  readonly lossNoticeMs?: number;
  /** For tests: how long a list waits for Redis before it is the last one. Real ms. */
  readonly listDeadlineMs?: number;
}

/** A reader would rather have the last list now than the current one later. */
const LIST_DEADLINE_MS = 300;

/** How often a Redis that does not answer is tried. */
const PROBE_INTERVAL_MS = 50;

export class RedisRegistry implements Registry {
  readonly #scripts: Scripts;
  readonly #breaker: CircuitBreaker;
  readonly #follower: FeedFollower;
  readonly #writes: GuardedWrites;
  readonly #listDeadlineMs: number;
  readonly #stopSweeping: () => void;
  #stopProbing = (): void => undefined;
  readonly #closing = new AbortController();
  /** Resolves once the copy is at a state of Redis that is newer than the call. */
  readonly #readBarrier = coalesce(() =>
    this.#breaker.probe(() => this.#follower.catchUp(() => this.#breaker.isOpen)),
  );
  #lastTurn: Promise<CurrentList> | undefined;
  #lastListing: Promise<Listing> | undefined;

  constructor(options: RedisRegistryOptions) {
    const { lifetime, events = {}, clock = systemClock } = options;
    const { writeBack: writesBack = true, lossNoticeMs = LOSS_NOTICE_MS } = options;
    this.#listDeadlineMs = options.listDeadlineMs ?? LIST_DEADLINE_MS;
    this.#breaker = new CircuitBreaker({
      onOpen: (error) => {
        if (this.#closing.signal.aborted) return;
        this.#stopProbing = clock.every(PROBE_INTERVAL_MS, () => this.#poll());
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
      holdMassExpiry: options.holdMassExpiry ?? true,
      ...(options.clockRulesRedis === true && { now: () => clock.now() }),
    });
    this.#follower = new FeedFollower({
      scripts: this.#scripts,
      clock,
      writesBack,
      lossNoticeMs,
      events,
      signal: this.#closing.signal,
    });
    this.#writes = new GuardedWrites({
      breaker: this.#breaker,
      follower: this.#follower,
      readBarrier: this.#readBarrier,
      writesBack,
      lossNoticeMs,
    });
    // Keeps the copy near, and sweeps while no list is asked for.
    this.#stopSweeping = clock.every(lifetime.sweepIntervalMs, () => this.#poll());
  }

  async broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome> {
    const { outcome, version } = await this.#writes.run(id, () => this.#scripts.broadcast(id, gameServer));
    if (version !== undefined)
      this.#follower.unseen.noteListed({ ...gameServer, id, version, registeredVersion: version });
    return outcome;
  }

  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome> {
    return this.#writes.runOnListed(id, gameServer.ip, async () => {
      const reply = await this.#scripts.ping(id, gameServer, this.#follower.get(id));
      if (reply.outcome === 'refreshed' && reply.changed !== undefined)
        this.#follower.unseen.noteListed({ ...gameServer, id, ...reply.changed });
      return reply;
    });
  }

  remove(id: GameServerId, ip: string): Promise<RemoveOutcome> {
    return this.#writes.runOnListed(id, ip, async () => {
      const reply = await this.#scripts.remove(id, ip);
      if (reply.outcome === 'removed' && reply.version !== undefined)
        this.#follower.unseen.noteRemoved(id, reply.version);
      return reply;
    });
  }

  /** All requests that wait for the same turn of the read barrier get the same Listing. */
  async list(): Promise<Listing> {
    if (this.#breaker.isOpen || this.#follower.isIncomplete) return this.#staleListing();
    const turn = this.#readBarrier();
    if (turn !== this.#lastTurn) {
      this.#lastTurn = turn;
      this.#lastListing = this.#listWithinDeadline(turn);
    }
    return this.#lastListing!;
  }

  /** Resolves once there is a list, or Redis turns out not to answer, or the limit is over. */
  async untilListed(limitMs: number): Promise<void> {
    await Promise.race([this.#poll(), delay(limitMs, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopSweeping();
    this.#stopProbing();
  }

  /** Outside of any request, so a failure is not reported. */
  async #poll(): Promise<void> {
    await this.#readBarrier().catch(() => undefined);
  }

  /** The current list, or the last one with its age when Redis does not confirm it in time. */
  async #listWithinDeadline(turn: Promise<CurrentList>): Promise<Listing> {
    const current = await withinDeadline(this.#listDeadlineMs, turn).catch(() => undefined);
    return current === undefined
      ? this.#staleListing()
      : { snapshot: current.snapshot, staleSince: undefined };
  }

  #staleListing(): Listing {
    const last = this.#follower.current;
    if (last === undefined) throw new ServiceError('registry_unavailable');
    return { snapshot: last.snapshot, staleSince: last.at };
  }
}
