/**
 * The registry of any number of replicas: Redis holds the truth, each replica a copy of the list.
 * Knows no HTTP. Method for method the twin of ../memory-registry.ts; writes are done in scripts.ts, reads come from
 * what feed-follower.ts keeps near.
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
import { FeedFollower, type CurrentList, type FeedEvents } from './feed-follower.ts';
import { createKeys } from './keys.ts';
import { isDamage } from './retry.ts';
import { createScripts, type Damaged, type Scripts, type Unknown } from './scripts.ts';
import { SETTLE_MS } from './write-back.ts';

export interface RedisRegistryOptions {
  /** Whoever opened it closes it, after the registry. */
  readonly client: RedisClient;
  /** Several registries can share one Redis. */
  readonly registryName: string;
  readonly lifetime: Lifetime;
  /** Whether a broadcast replaces the entry with the same host, IP and port. */
  readonly uniqueAddress: boolean;
  /** Whether the expiry of a silent majority is held for a while: yes, unless told otherwise. */
  readonly holdMassExpiry?: boolean;
  /** Whether what Redis lost is restored from this replica's copy: yes, unless told otherwise. */
  readonly writeBack?: boolean;
  readonly events?: Partial<RedisRegistryEvents>;
  /** For timers and the age of a stale list. */
  readonly clock?: Clock;
  /** For tests: the clock also stands in for Redis' own, by which alone deadlines are kept otherwise. */
  readonly clockRulesRedis?: boolean;
  /** For tests: how long replicas wait for each other after a loss. Real ms. */
  readonly settleMs?: number;
}

export interface RedisRegistryEvents extends FeedEvents {
  /** Redis does not answer: lists are stale and writes refused. Told once, until it answers again. */
  readonly onUnavailable: (error: unknown) => void;
  readonly onAvailable: () => void;
}

/** A reader would rather have the last list now than the current one later. */
const LONGEST_CONFIRMATION_MS = 300;

/** How often a Redis that does not answer is tried. */
const PROBE_INTERVAL_MS = 50;

/** For a game server that Redis does not know, until it is known again or surely unknown. */
const LONGEST_WAIT_FOR_RESTORATION_MS = 1200;

export class RedisRegistry implements Registry {
  readonly #scripts: Scripts;
  readonly #writesBack: boolean;
  readonly #settleMs: number;
  readonly #breaker: CircuitBreaker;
  readonly #follower: FeedFollower;
  readonly #stopSweeping: () => void;
  #stopProbing = (): void => undefined;
  /** Resolves once the copy is at a state of Redis that is newer than the call. */
  readonly #catchUp = coalesce(
    () => this.#breaker.probe(() => this.#follower.catchUp(() => this.#breaker.isOpen)),
    () => this.#follower.current?.snapshot.busy,
  );
  readonly #closing = new AbortController();
  #lastTurn: Promise<CurrentList> | undefined;
  #lastListing: Promise<Listing> | undefined;

  constructor(options: RedisRegistryOptions) {
    const { lifetime, events = {}, clock = systemClock } = options;
    this.#writesBack = options.writeBack ?? true;
    this.#settleMs = options.settleMs ?? SETTLE_MS;
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
      writesBack: this.#writesBack,
      settleMs: this.#settleMs,
      events,
      signal: this.#closing.signal,
    });
    // Keeps the copy near, and sweeps when nobody reads.
    this.#stopSweeping = clock.every(lifetime.sweepIntervalMs, () => this.#poll());
  }

  async broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome> {
    const { outcome, version } = await this.#write(id, () => this.#scripts.broadcast(id, gameServer));
    if (version !== undefined)
      this.#follower.unseen.noteListed({ ...gameServer, id, version, registeredVersion: version });
    return outcome;
  }

  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome> {
    return this.#unlessLost(id, async () => {
      const reply = await this.#write(id, () => this.#scripts.ping(id, gameServer));
      if (reply.outcome === 'refreshed' && reply.changed !== undefined)
        this.#follower.unseen.noteListed({ ...gameServer, id, ...reply.changed });
      return this.#unlessForged(id, gameServer.ip, reply);
    });
  }

  remove(id: GameServerId, ip: string): Promise<RemoveOutcome> {
    return this.#unlessLost(id, async () => {
      const reply = await this.#write(id, () => this.#scripts.remove(id, ip));
      if (reply.outcome === 'removed' && reply.version !== undefined)
        this.#follower.unseen.noteRemoved(id, reply.version);
      return this.#unlessForged(id, ip, reply);
    });
  }

  /** All who wait for the same look at the feed get the same Listing. */
  async list(): Promise<Listing> {
    if (this.#breaker.isOpen || this.#follower.isSettling) return this.#staleListing();
    const turn = this.#catchUp();
    if (turn !== this.#lastTurn) {
      this.#lastTurn = turn;
      this.#lastListing = this.#listInTime(turn);
    }
    return this.#lastListing!;
  }

  /** Resolves once there is a list, or Redis turns out not to answer, or too long passes. */
  async untilListed(limitMs: number): Promise<void> {
    await Promise.race([this.#poll(), delay(limitMs, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopSweeping();
    this.#stopProbing();
  }

  /** Outside of any request, so nobody is to hear of a failure. */
  async #poll(): Promise<void> {
    await this.#catchUp().catch(() => undefined);
  }

  /** The current list, or the last one with its age when Redis does not confirm it in time. */
  async #listInTime(turn: Promise<CurrentList>): Promise<Listing> {
    const current = await inTime(LONGEST_CONFIRMATION_MS, turn).catch(() => undefined);
    return current === undefined
      ? this.#staleListing()
      : { snapshot: current.snapshot, staleSince: undefined };
  }

  #staleListing(): Listing {
    const last = this.#follower.current;
    if (last === undefined) throw new ServiceError('registry_unavailable');
    return { snapshot: last.snapshot, staleSince: last.at };
  }

  /** A write that meets damaged keys has them mended, and is tried once more. */
  async #write<T>(id: GameServerId, write: () => Promise<T>): Promise<T> {
    try {
      return await this.#breaker.run(write);
    } catch (error) {
      if (!isDamage((error as Error).cause)) throw error;
      await this.#follower.mend([id]);
      return this.#breaker.run(write);
    }
  }

  /** An IP never changes: if Redis has another one than this replica knows, somebody else has written it. */
  #unlessForged<R extends { readonly outcome: unknown }>(
    id: GameServerId,
    ip: string,
    reply: R,
  ): R | { readonly outcome: Damaged } {
    const isForged = reply.outcome === 'ip_mismatch' && this.#follower.get(id)?.ip === ip;
    return isForged ? { outcome: 'damaged' } : reply;
  }

  /**
   * Redis may not know a game server because it lost it. Then it is known again in a moment, and must not be told to
   * broadcast anew. It is unknown only if Redis said so, and a look some time after that, when all replicas have
   * noticed what there was to notice, finds that nothing had been lost; while that cannot be told, the registry is
   * unavailable.
   */
  async #unlessLost<Outcome>(
    id: GameServerId,
    operation: () => Promise<{ readonly outcome: Outcome | Damaged } | Unknown>,
  ): Promise<Outcome | 'unknown'> {
    const deadline = performance.now() + LONGEST_WAIT_FOR_RESTORATION_MS;
    for (;;) {
      const reply = await operation();
      if (reply.outcome === 'unknown' && !this.#writesBack) return 'unknown';
      if (reply.outcome !== 'unknown' && reply.outcome !== 'damaged') return reply.outcome;
      if (performance.now() + this.#settleMs > deadline) throw new ServiceError('registry_unavailable');
      if (!isUnknown(reply)) await this.#follower.restoreRecord(id);
      else {
        await delay(this.#settleMs);
        const { loss } = await inTime(deadline - performance.now(), this.#catchUp());
        if (reply.health.isWhole && reply.health.loss === loss) return 'unknown';
      }
    }
  }
}

function isUnknown(reply: { readonly outcome: unknown }): reply is Unknown {
  return reply.outcome === 'unknown';
}

/** Rejects with a ServiceError `registry_unavailable` when the time is over. */
async function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ServiceError('registry_unavailable')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
