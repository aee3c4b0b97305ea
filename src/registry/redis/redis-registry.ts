/**
 * The registry of any number of replicas: Redis holds the truth, each replica a copy of the list.
 * Knows no HTTP. Method for method the twin of ../memory-registry.ts; the work is done in scripts.ts (writes)
 * and in the walk along the feed below (reads).
 */

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
import { createKeys } from './keys.ts';
import { ListCopy } from './list-copy.ts';
import { createScripts, type RedisClient, type Scripts } from './scripts.ts';

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
  readonly events?: Partial<RedisRegistryEvents>;
  /** For timers and the age of a stale list. */
  readonly clock?: Clock;
  /** For tests: the clock also stands in for Redis' own, by which alone deadlines are kept otherwise. */
  readonly clockRulesRedis?: boolean;
}

export interface RedisRegistryEvents extends RegistryEvents {
  /** The copy was of another history than Redis, and is loaded anew. */
  onReload(reason: ReloadReason): void;
  /** The feed cannot be followed: told once, until it can be again. */
  onOutOfTouch(error: unknown): void;
  onInTouch(): void;
}

/** `position`: Redis knows nothing of where the copy stands. `digest`: same position, other content. */
export type ReloadReason = 'position' | 'digest';

/** A reader would rather have the last list now than the current one later. */
const LONGEST_CONFIRMATION_MS = 300;

export class RedisRegistry implements Registry {
  readonly #scripts: Scripts;
  readonly #clock: Clock;
  readonly #events: Partial<RedisRegistryEvents>;
  readonly #stopFollowing: () => void;
  /** Resolves once the copy is at a state of Redis that is newer than the call. */
  readonly #synchronize = createBarrier(
    () => this.#followFeed(),
    () => this.#confirmed?.snapshot.busy,
  );
  #copy = new ListCopy();
  #confirmed: { readonly snapshot: Snapshot; readonly at: number } | undefined;
  #inTouch = true;
  #lastTurn: Promise<Snapshot> | undefined;
  #lastListing: Promise<Listing> | undefined;

  constructor(options: RedisRegistryOptions) {
    this.#clock = options.clock ?? systemClock;
    this.#events = options.events ?? {};
    this.#scripts = createScripts({
      client: options.client,
      keys: createKeys(options.registryName),
      lifetime: options.lifetime,
      uniqueAddress: options.uniqueAddress,
      ...(options.clockRulesRedis === true && { now: () => this.#clock.now() }),
    });
    // Keeps the copy near, and sweeps when nobody reads.
    this.#stopFollowing = this.#clock.every(options.lifetime.sweepIntervalMs, () =>
      this.#synchronize().then(
        () => undefined,
        () => undefined,
      ),
    );
  }

  broadcast(id: GameServerId, gameServer: GameServer): Promise<BroadcastOutcome> {
    return this.#scripts.broadcast(id, gameServer);
  }

  ping(id: GameServerId, gameServer: GameServer): Promise<PingOutcome> {
    return this.#scripts.ping(id, gameServer);
  }

  remove(id: GameServerId, ip: string): Promise<RemoveOutcome> {
    return this.#scripts.remove(id, ip);
  }

  /** All who wait for the same look at the feed get the same Listing. */
  list(): Promise<Listing> {
    const turn = this.#synchronize();
    if (turn !== this.#lastTurn) {
      this.#lastTurn = turn;
      this.#lastListing = this.#confirm(turn);
    }
    return this.#lastListing!;
  }

  async close(): Promise<void> {
    this.#stopFollowing();
  }

  /** The current list, or the last one with its age when Redis does not confirm it in time. */
  async #confirm(turn: Promise<Snapshot>): Promise<Listing> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, LONGEST_CONFIRMATION_MS, undefined);
    });
    const snapshot = await Promise.race([turn.catch(() => undefined), tooLate]);
    clearTimeout(timer);
    if (snapshot !== undefined) return { snapshot, staleMs: 0 };
    if (this.#confirmed === undefined) throw new ServiceError('registry_unavailable');
    return {
      snapshot: this.#confirmed.snapshot,
      staleMs: Math.max(1, this.#clock.now() - this.#confirmed.at),
    };
  }

  /** Brings the copy to a state that Redis had during the call. */
  async #followFeed(): Promise<Snapshot> {
    try {
      const snapshot = await this.#walk();
      if (!this.#inTouch) this.#events.onInTouch?.();
      this.#inTouch = true;
      return snapshot;
    } catch (error) {
      if (this.#inTouch) this.#events.onOutOfTouch?.(error);
      this.#inTouch = false;
      throw error;
    }
  }

  /** Takes page after page. A copy that turns out to be of another history is left as it is until a new one is complete. */
  async #walk(): Promise<Snapshot> {
    const startedAt = this.#clock.now();
    let copy = this.#copy;
    const reload = (reason: ReloadReason) => {
      this.#events.onReload?.(reason);
      copy = new ListCopy();
    };
    for (;;) {
      const page = await this.#scripts.changes(copy.position);
      if (page.expired.length > 0) this.#events.onExpired?.(page.expired);
      if (!copy.continuesWith(page)) reload('position');
      copy.apply(page);
      if (page.more) continue;
      if (copy.agreesWith(page)) break;
      if (copy !== this.#copy) {
        // Just loaded, so it is Redis that counted wrong: somebody else changed our keys.
        copy.adoptDigest(page);
        break;
      }
      reload('digest');
    }
    const last = this.#confirmed?.snapshot;
    const unchanged = copy === this.#copy && copy.position.cursor === last?.version;
    const snapshot = unchanged ? last : copy.build();
    this.#copy = copy;
    this.#confirmed = { snapshot, at: startedAt };
    return snapshot;
  }
}
