/**
 * Writes to a Redis that may be away, damaged, or without data it had: repeats a write until its outcome is sure, or
 * the registry counts as unavailable.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Deadlines } from '../../runtime/deadlines.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import { isEntitled, type Caller } from '../registry.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import { withinDeadline } from './connection/deadline.ts';
import type { RegistryHealth } from './follower/changes-batch.ts';
import type { Follower } from './follower/follower.ts';
import type { ConfirmedList } from './follower/list-copy.ts';
import { isDamage } from './scripts/retry.ts';
import type { GoneEntry } from './scripts/script-replies.ts';

export interface GuardedWritesOptions {
  readonly breaker: CircuitBreaker;
  readonly follower: Follower;
  /** Resolves with a list that is newer than the call. */
  readonly readBarrier: () => Promise<ConfirmedList>;
  readonly writesBack: boolean;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly deadlines: Pick<Deadlines, 'restorationMs'>;
}

/** Who writes to an entry. */
export interface Claimant {
  readonly caller: Pick<Caller, 'proof'>;
  /** The one that the caller names, if it has to be that of the entry. */
  readonly ip?: string | undefined;
}

/** What a script replies to a write for a game server: what came of it, and what it has changed. */
export interface WriteReply {
  readonly outcome: unknown;
  /** The entry as it is from now on, if it changed visibly. */
  readonly changed?: ListedGameServer;
  /** Whether that had expired. */
  readonly wasExpired?: boolean;
  /** The entries that had to go for it. */
  readonly gone?: readonly GoneEntry[];
  /** The version of its tombstone, if it was listed and was removed. */
  readonly version?: number;
  /** Of a registry that does not know the id. */
  readonly health?: RegistryHealth;
}

export class GuardedWrites {
  readonly #options: GuardedWritesOptions;

  constructor(options: GuardedWritesOptions) {
    this.#options = options;
  }

  /** A write that meets damaged keys has them mended, and is tried once more. */
  run<T>(id: GameServerId, write: () => Promise<T>): Promise<T> {
    const { breaker, follower } = this.#options;
    return breaker.run(write).catch(async (error: unknown) => {
      if (!isDamage((error as Error).cause)) throw error;
      await follower.mend([id]);
      return breaker.run(write);
    });
  }

  /**
   * The reply to a write once it is sure. `by`: undefined for one that lists a new game server.
   *
   * A game server that should be listed, and that Redis does not know, may have been lost there: then it is known again
   * in a moment, and must not be told to broadcast anew. It is unknown only if Redis said so, and a look at the feed
   * some time after that, when all replicas have noticed what there was to notice, finds that nothing had been lost.
   * While that is not sure, the registry is unavailable.
   */
  async untilSure(
    id: GameServerId,
    by: Claimant | undefined,
    write: () => Promise<WriteReply>,
  ): Promise<WriteReply> {
    const { follower, readBarrier, writesBack, lossNoticeMs, deadlines } = this.#options;
    const deadline = performance.now() + deadlines.restorationMs;
    if (by === undefined) return this.#runWhole(id, deadline, write);
    const known = follower.get(id);
    // A claim is never taken back: to know of it is enough, also while Redis has lost it. The entry may have left the
    // list since the last poll. A caller without the token can do nothing with either answer, and gets the other one
    // soon.
    if (known?.isClaimed === true && !isEntitled(by.caller, known)) return { outcome: 'not_owner' };
    for (;;) {
      const reply = await this.#runWhole(id, deadline, write);
      const { outcome, health } = reply;
      if (outcome === 'unknown' && !writesBack) return reply;
      if (outcome === 'refreshed') return reply;
      if (outcome !== 'unknown' && outcome !== 'damaged') {
        if (!refusesWrongly(follower.get(id), outcome, by)) return reply;
        // Another replica may just have changed the entry; if it has not, another program has.
        await withinDeadline(deadline - performance.now(), readBarrier());
        if (!refusesWrongly(follower.get(id), outcome, by)) return reply;
      }
      if (performance.now() + lossNoticeMs > deadline) throw new ServiceError('registry_unavailable');
      if (health === undefined) await follower.restoreRecord(id);
      else {
        await delay(lossNoticeMs);
        const { loss } = await withinDeadline(deadline - performance.now(), readBarrier());
        if (health.isWhole && health.loss === loss) return reply;
      }
    }
  }

  /**
   * A write that only a whole registry can allow is repeated once it is whole: all replicas have told then what they
   * knew before a loss. `deadline`: of performance.now(); after it the registry is unavailable.
   */
  async #runWhole(id: GameServerId, deadline: number, write: () => Promise<WriteReply>): Promise<WriteReply> {
    for (;;) {
      const reply = await this.run(id, write);
      if (reply.outcome !== 'not_whole') return reply;
      await withinDeadline(deadline - performance.now(), this.#options.readBarrier());
    }
  }
}

/** Whether the outcome refuses what the entry that is known would allow. */
function refusesWrongly(
  known: ListedGameServer | undefined,
  outcome: unknown,
  { caller, ip }: Claimant,
): boolean {
  if (known === undefined) return false;
  if (outcome === 'ip_mismatch') return known.ip === ip;
  return outcome === 'not_owner' && isEntitled(caller, known);
}
