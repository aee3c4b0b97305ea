/**
 * The registry of any number of replicas: Redis holds the truth, each replica a copy of the list.
 * Knows no HTTP. Method for method the twin of ../memory-registry.ts; the work is done in scripts.ts (writes),
 * in the walk along the feed below (reads), and in write-back.ts when Redis lost something.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../errors.ts';
import { createBarrier } from '../barrier.ts';
import type { GameServer, GameServerId } from '../game-server.ts';
import type { Lifetime } from '../lifetime.ts';
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
import type { Snapshot } from '../snapshot.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { createKeys } from './keys.ts';
import { ListCopy } from './list-copy.ts';
import { createScripts, type ChangesPage, type RedisClient, type Scripts } from './scripts.ts';
import { Acknowledged, recall, SETTLE_MS, writeBack } from './write-back.ts';

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
  /** For tests: how long replicas wait for each other before they restore what was lost. Real ms. */
  readonly settleMs?: number;
}

export interface RedisRegistryEvents extends RegistryEvents {
  /** The copy was of another history than Redis, and is loaded anew. */
  readonly onReload: (reason: ReloadReason) => void;
  /** So many that Redis had lost are listed again. */
  readonly onRestored: (count: number) => void;
  /** Redis does not answer: lists are stale and writes refused. Told once, until it answers again. */
  readonly onOutOfTouch: (error: unknown) => void;
  readonly onInTouch: () => void;
}

/**
 * `epoch`: Redis has another registry, or none. `rollback`: it is behind the copy. `digest`: at the same place, with
 * other content. `floor`: the copy is so far behind that removals it missed are forgotten.
 */
export type ReloadReason = 'epoch' | 'rollback' | 'digest' | 'floor';

/** A reader would rather have the last list now than the current one later. */
const LONGEST_CONFIRMATION_MS = 300;

/** How often a Redis that does not answer is tried. */
const PROBE_INTERVAL_MS = 50;

/** After a loss was noticed: until then some replica may still be about to restore what nobody else knows of. */
const RESTORING_MS = 2000;
const RESTORED_CHECK_INTERVAL_MS = 100;
const LONGEST_WAIT_FOR_RESTORATION_MS = 1000;

export class RedisRegistry implements Registry {
  readonly #scripts: Scripts;
  readonly #clock: Clock;
  readonly #events: Partial<RedisRegistryEvents>;
  readonly #writesBack: boolean;
  readonly #settleMs: number;
  readonly #breaker: CircuitBreaker;
  readonly #stopSweeping: () => void;
  #stopProbing = (): void => undefined;
  /** Resolves once the copy is at a state of Redis that is newer than the call. */
  readonly #synchronize = createBarrier(
    () => this.#breaker.probe(() => this.#walk()),
    () => this.#confirmed?.snapshot.busy,
  );
  readonly #acknowledged = new Acknowledged();
  #copy = new ListCopy();
  #confirmed: { readonly snapshot: Snapshot; readonly at: number } | undefined;
  readonly #closing = new AbortController();
  #isRestoring = false;
  #lossNoticedAt = -Infinity;
  #massIsSilent = false;
  #lastTurn: Promise<Snapshot> | undefined;
  #lastListing: Promise<Listing> | undefined;

  constructor(options: RedisRegistryOptions) {
    const { lifetime, events = {}, clock = systemClock } = options;
    this.#clock = clock;
    this.#events = events;
    this.#writesBack = options.writeBack ?? true;
    this.#settleMs = options.settleMs ?? SETTLE_MS;
    this.#breaker = new CircuitBreaker({
      onOpen: (error) => {
        if (this.#closing.signal.aborted) return;
        this.#stopProbing = clock.every(PROBE_INTERVAL_MS, () => this.#look());
        events.onOutOfTouch?.(error);
      },
      onClose: () => {
        this.#stopProbing();
        events.onInTouch?.();
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
    // Keeps the copy near, and sweeps when nobody reads.
    this.#stopSweeping = clock.every(lifetime.sweepIntervalMs, () => this.#look());
  }

  async broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome> {
    const { outcome, version } = await this.#breaker.run(() => this.#scripts.broadcast(id, gameServer));
    if (version !== undefined) this.#acknowledged.noteListed(id, version, gameServer);
    return outcome;
  }

  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome> {
    return this.#unlessLost(() => this.#breaker.run(() => this.#scripts.ping(id, gameServer)));
  }

  remove(id: GameServerId, ip: string): Promise<RemoveOutcome> {
    return this.#unlessLost(async () => {
      const { outcome, version } = await this.#breaker.run(() => this.#scripts.remove(id, ip));
      if (version !== undefined) this.#acknowledged.noteRemoved(id, version);
      return outcome;
    });
  }

  /** All who wait for the same look at the feed get the same Listing. */
  async list(): Promise<Listing> {
    if (this.#breaker.isOpen || this.#isRestoring) return this.#staleListing();
    const turn = this.#synchronize();
    if (turn !== this.#lastTurn) {
      this.#lastTurn = turn;
      this.#lastListing = this.#confirm(turn);
    }
    return this.#lastListing!;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopSweeping();
    this.#stopProbing();
  }

  /** Outside of any request, so nobody is to hear of a failure. */
  async #look(): Promise<void> {
    await this.#synchronize().catch(() => undefined);
  }

  /** The current list, or the last one with its age when Redis does not confirm it in time. */
  async #confirm(turn: Promise<Snapshot>): Promise<Listing> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, LONGEST_CONFIRMATION_MS, undefined);
    });
    const snapshot = await Promise.race([turn.catch(() => undefined), tooLate]);
    clearTimeout(timer);
    return snapshot === undefined ? this.#staleListing() : { snapshot, staleSince: undefined };
  }

  #staleListing(): Listing {
    if (this.#confirmed === undefined) throw new ServiceError('registry_unavailable');
    const { snapshot, at } = this.#confirmed;
    return { snapshot, staleSince: at };
  }

  /**
   * Redis may not know a game server because it lost it. Then it is known again in a moment, and must not be told to
   * broadcast anew; while that cannot be ruled out, the answer is that the registry is unavailable.
   */
  async #unlessLost<Outcome>(operation: () => Promise<Outcome | 'unknown'>): Promise<Outcome | 'unknown'> {
    const outcome = await operation();
    if (outcome !== 'unknown' || !this.#writesBack) return outcome;
    const deadline = performance.now() + LONGEST_WAIT_FOR_RESTORATION_MS;
    await Promise.race([
      this.#synchronize(),
      delay(LONGEST_WAIT_FOR_RESTORATION_MS, undefined, { ref: false }),
    ]);
    // Should the clock have been set back since, the loss is taken for an old one.
    while (Math.abs(this.#clock.now() - this.#lossNoticedAt) < RESTORING_MS) {
      const next = await operation();
      if (next !== 'unknown') return next;
      if (performance.now() > deadline) throw new ServiceError('registry_unavailable');
      await delay(RESTORED_CHECK_INTERVAL_MS);
    }
    return 'unknown';
  }

  /**
   * Brings the copy to a state that Redis had during the call, page after page. A copy that turns out to be of another
   * history is left as it is until a new one is complete, and Redis has back what it lost.
   */
  async #walk(): Promise<Snapshot> {
    const startedAt = this.#clock.now();
    let copy = this.#copy;
    let mayHaveLost = false;
    const reload = (reason: ReloadReason): void => {
      mayHaveLost ||= reason !== 'floor' && this.#writesBack;
      if (mayHaveLost) this.#lossNoticedAt = this.#clock.now();
      this.#events.onReload?.(reason);
      copy = new ListCopy();
    };
    for (;;) {
      this.#closing.signal.throwIfAborted();
      const acknowledged = this.#acknowledged.count;
      const page = await this.#scripts.changes(copy.position, this.#breaker.isOpen);
      this.#tell(page);
      if (!copy.continuesWith(page)) reload(copy.reasonToReload(page));
      copy.apply(page);
      if (page.more) continue;
      if (copy === this.#copy && !copy.agreesWith(page)) {
        reload('digest');
        continue;
      }
      if (copy === this.#copy && !this.#acknowledged.areKnownTo(copy, acknowledged)) {
        reload('rollback');
        continue;
      }
      // Just loaded, so it is Redis that counted wrong: somebody else changed our keys.
      if (!copy.agreesWith(page)) copy.adoptDigest(page);
      if (mayHaveLost) {
        mayHaveLost = false;
        await this.#restore(copy);
        continue;
      }
      this.#acknowledged.forget(acknowledged);
      break;
    }
    const last = this.#confirmed?.snapshot;
    const unchanged = copy === this.#copy && copy.position.cursor === last?.version;
    const snapshot = unchanged ? last : copy.build();
    this.#copy = copy;
    this.#confirmed = { snapshot, at: startedAt };
    return snapshot;
  }

  /** Gives Redis what this replica knew and `copy`, which is what Redis has, does not. */
  async #restore(copy: ListCopy): Promise<void> {
    this.#isRestoring = true;
    try {
      const memory = recall(this.#copy, this.#acknowledged, copy);
      copy.remember(memory.removed);
      const restored = await writeBack(this.#scripts, memory, {
        settleMs: this.#settleMs,
        signal: this.#closing.signal,
      });
      if (restored > 0) this.#events.onRestored?.(restored);
    } finally {
      this.#isRestoring = false;
    }
  }

  #tell({ expired, silent, count }: ChangesPage): void {
    if (expired.length > 0) this.#events.onExpired?.(expired);
    if (silent > 0 === this.#massIsSilent) return;
    this.#massIsSilent = silent > 0;
    if (this.#massIsSilent) this.#events.onMassSilence?.({ silent, listed: count });
    else this.#events.onMassSilenceOver?.();
  }
}
