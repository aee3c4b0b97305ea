/**
 * Writes to a Redis that may be away or damaged, or may have lost data: repeats a write until its outcome is sure, or
 * the registry counts as unavailable.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Deadlines } from '../../runtime/deadlines.ts';
import type { Pulse } from '../../runtime/pulse.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { GameServerId, ListedGameServer } from '../../model/game-server.ts';
import { isEntitled, type Caller } from '../registry.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import { withinDeadline } from './connection/deadline.ts';
import type { ParkedEntry, RegistryHealth } from './follower/changes-batch.ts';
import type { Follower } from './follower/follower.ts';
import type { ConfirmedList } from './follower/list-copy.ts';
import { isDamage } from './scripts/retry.ts';
import type { Rest } from './rest.ts';
import type { GoneEntry } from './scripts/script-replies.ts';

export interface GuardedWritesOptions {
  readonly breaker: CircuitBreaker;
  readonly follower: Follower;
  readonly rest: Pick<Rest, 'wake'>;
  /** Resolves with a list that is newer than the call. */
  readonly readBarrier: () => Promise<ConfirmedList>;
  readonly writesBack: boolean;
  /** LOSS_NOTICE_MS, or that of a test. */
  readonly lossNoticeMs: number;
  readonly deadlines: Pick<Deadlines, 'restorationMs'>;
  readonly pulse: Pick<Pulse, 'beatAt'>;
}

/**
 * Sends a write. `since`: the beat of the pulse before the request, by performance.now(), the same for each repetition:
 * a write whose client may have turned elsewhere must not be carried out any more.
 */
export type SendWrite = (since: number) => Promise<WriteReply>;

/** The caller of a write to an existing entry. */
export interface Claimant {
  readonly caller: Pick<Caller, 'proof'>;
  /** The IP that the caller names, if it has to be that of the entry. */
  readonly ip?: string | undefined;
}

/** The reply of a script to a write for a game server: its outcome, and what it has changed. */
export interface WriteReply {
  readonly outcome: unknown;
  /** The entry as it is from now on, if it changed visibly. */
  readonly changed?: ListedGameServer;
  /** Whether the changed entry had expired before. */
  readonly wasExpired?: boolean;
  /** The entries that were removed to make room for it. */
  readonly gone?: readonly GoneEntry[];
  /** The version of the tombstone, if this write left one. */
  readonly version?: number;
  /** The entry, if this write parked it. */
  readonly parked?: ParkedEntry;
  /** The health of the registry, if it does not know the id. */
  readonly health?: RegistryHealth;
}

export class GuardedWrites {
  readonly #options: GuardedWritesOptions;

  constructor(options: GuardedWritesOptions) {
    this.#options = options;
  }

  /** Runs a write. If it meets damaged keys, they are mended and the write runs once more. */
  run<T>(id: GameServerId, write: () => Promise<T>): Promise<T> {
    const { breaker, follower, rest } = this.#options;
    rest.wake();
    return breaker.run(write).catch(async (error: unknown) => {
      if (!isDamage((error as Error).cause)) throw error;
      await follower.mend([id]);
      return breaker.run(write);
    });
  }

  /**
   * Repeats a write until its reply is sure. `by`: undefined for a write that lists a new game server.
   *
   * If Redis does not know a game server that should be listed, it may have lost it: then it knows it again in a
   * moment, and the game server must not be sent to broadcast anew. It counts as unknown only if Redis said so, and a
   * look at the feed some time later, when every replica would have noticed a loss, finds that nothing had been lost.
   * While that is not sure, the registry is unavailable.
   */
  async untilSure(id: GameServerId, by: Claimant | undefined, send: SendWrite): Promise<WriteReply> {
    const { follower, readBarrier, writesBack, lossNoticeMs, deadlines, pulse } = this.#options;
    const since = pulse.beatAt;
    const write = (): Promise<WriteReply> => send(since);
    const deadline = performance.now() + deadlines.restorationMs;
    if (by === undefined) return this.#runWhole(id, deadline, write);
    const known = follower.get(id);
    // A claim is never taken back, so knowing of it is enough, even while Redis has lost it. The entry may have left
    // the list since the last poll: a caller without the token can do nothing with either answer, and gets the other
    // one soon.
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
   * Runs a write, again and again while only a whole registry could allow it: a registry is whole once all replicas
   * have written back what they knew before a loss. After `deadline`, by performance.now(), it is unavailable.
   */
  async #runWhole(id: GameServerId, deadline: number, write: () => Promise<WriteReply>): Promise<WriteReply> {
    for (;;) {
      const reply = await this.run(id, write);
      if (reply.outcome !== 'not_whole') return reply;
      await withinDeadline(deadline - performance.now(), this.#options.readBarrier());
    }
  }
}

/** Whether the outcome refuses a write that the entry, as this replica knows it, would allow. */
function refusesWrongly(
  known: ListedGameServer | undefined,
  outcome: unknown,
  { caller, ip }: Claimant,
): boolean {
  if (known === undefined) return false;
  if (outcome === 'ip_mismatch') return known.ip === ip;
  return outcome === 'not_owner' && isEntitled(caller, known);
}
