/**
 * Writes to a Redis that may be away, damaged, or without data it had: repeats a write until its outcome is sure, or
 * the registry counts as unavailable. Knows the follower of the feed, not what a write does.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Deadlines } from '../../deadlines.ts';
import { ServiceError } from '../../errors.ts';
import type { GameServerId, ListedGameServer } from '../game-server.ts';
import { isEntitled, type Caller } from '../registry.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import { withinDeadline } from './connection/deadline.ts';
import type { CurrentList, FeedFollower } from './feed/feed-follower.ts';
import { isDamage } from './scripts/retry.ts';
import type { Damaged, NotWhole, Unknown } from './scripts/script-replies.ts';

export interface GuardedWritesOptions {
  readonly breaker: CircuitBreaker;
  readonly follower: FeedFollower;
  /** Resolves with a list that is newer than the call. */
  readonly readBarrier: () => Promise<CurrentList>;
  readonly writesBack: boolean;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly deadlines: Pick<Deadlines, 'restorationMs'>;
}

export class GuardedWrites {
  readonly #options: GuardedWritesOptions;

  constructor(options: GuardedWritesOptions) {
    this.#options = options;
  }

  /** A write that meets damaged keys has them mended, and is tried once more. */
  async run<T>(id: GameServerId, write: () => Promise<T>): Promise<T> {
    const { breaker, follower } = this.#options;
    try {
      return await breaker.run(write);
    } catch (error) {
      if (!isDamage((error as Error).cause)) throw error;
      await follower.mend([id]);
      return breaker.run(write);
    }
  }

  /** A write that lists a new game server. */
  runOnNew<Reply extends { readonly outcome: unknown }>(
    id: GameServerId,
    write: () => Promise<Reply>,
  ): Promise<Decided<Reply>> {
    return this.#runWhole(id, performance.now() + this.#options.deadlines.restorationMs, write);
  }

  /**
   * A write to a game server that should be listed. Redis may not know it because it lost it: then it is known again in
   * a moment, and must not be told to broadcast anew. It is unknown only if Redis said so, and a look at the feed some
   * time after that, when all replicas have noticed what there was to notice, finds that nothing had been lost. While
   * that is not sure, the registry is unavailable. `ip`: the one that the caller names, if it has to be that of the entry.
   */
  async runOnListed<Outcome>(
    id: GameServerId,
    { caller, ip }: { readonly caller: Pick<Caller, 'proof'>; readonly ip?: string | undefined },
    write: () => Promise<{ readonly outcome: Outcome | Damaged | NotWhole } | Unknown>,
  ): Promise<Outcome | 'unknown' | 'not_owner'> {
    const { follower, readBarrier, writesBack, lossNoticeMs, deadlines } = this.#options;
    const deadline = performance.now() + deadlines.restorationMs;
    const known = follower.get(id);
    // A claim is never taken back: to know of it is enough, also while Redis has lost it. The entry may have left the list
    // since the last poll. A caller without the token can do nothing with either answer, and gets the other one soon.
    if (known?.isClaimed === true && !isEntitled(caller, known)) return 'not_owner';
    for (;;) {
      const reply = await this.#runWhole(id, deadline, write);
      if (isUnknown(reply) && !writesBack) return 'unknown';
      if (!isUnknown(reply) && reply.outcome !== 'damaged') {
        const { outcome } = reply;
        const isDoubtful = (): boolean => refusesWrongly(follower.get(id), outcome, caller, ip);
        // Another replica may just have changed the entry; if it has not, another program has.
        if (isDoubtful()) await withinDeadline(deadline - performance.now(), readBarrier());
        if (!isDoubtful()) return outcome;
      }
      if (performance.now() + lossNoticeMs > deadline) throw new ServiceError('registry_unavailable');
      if (!isUnknown(reply)) await follower.restoreRecord(id);
      else {
        await delay(lossNoticeMs);
        const { loss } = await withinDeadline(deadline - performance.now(), readBarrier());
        if (reply.health.isWhole && reply.health.loss === loss) return 'unknown';
      }
    }
  }

  /**
   * A write that only a whole registry can allow is repeated once it is whole: all replicas have told then what they
   * knew before a loss. `deadline`: of performance.now(); after it the registry is unavailable.
   */
  async #runWhole<Reply extends { readonly outcome: unknown }>(
    id: GameServerId,
    deadline: number,
    write: () => Promise<Reply>,
  ): Promise<Decided<Reply>> {
    for (;;) {
      const reply = await this.run(id, write);
      if (reply.outcome !== 'not_whole') return reply as Decided<Reply>;
      await withinDeadline(deadline - performance.now(), this.#options.readBarrier());
    }
  }
}

/** The reply to a write that a whole registry has decided. */
type Decided<Reply extends { readonly outcome: unknown }> = Reply & {
  readonly outcome: Exclude<Reply['outcome'], NotWhole>;
};

function isUnknown(reply: { readonly outcome: unknown }): reply is Unknown {
  return reply.outcome === 'unknown';
}

/** Whether the outcome refuses what the entry that is known would allow. */
function refusesWrongly(
  known: ListedGameServer | undefined,
  outcome: unknown,
  caller: Pick<Caller, 'proof'>,
  ip: string | undefined,
): boolean {
  if (known === undefined) return false;
  if (outcome === 'ip_mismatch') return known.ip === ip;
  return outcome === 'not_owner' && isEntitled(caller, known);
}
