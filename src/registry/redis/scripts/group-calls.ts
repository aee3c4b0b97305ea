/**
 * Sends calls of one script, for one entry each, to Redis together: by group commit, in groups that neither Redis nor a
 * Cluster refuses.
 */

import type { Deadlines } from '../../../runtime/deadlines.ts';
import type { RedisClient } from '../connection/create-client.ts';
import { leaveTogether } from '../connection/leave-together.ts';
import type { Pulse } from '../../../runtime/pulse.ts';
import { groupCommit } from './group-commit.ts';
import { isOutage, isTryAgain } from './retry.ts';

/** The most calls in a group: at up to 20 µs of Redis each, a group takes about a millisecond. */
const MOST_IN_A_GROUP = 64;
/** A smaller group makes the next one gather: a ping costs Redis 33 µs alone, 7 in a group of 8, 3.5 in one of 32. */
const ENOUGH_IN_A_GROUP = 8;
/** How long a group gathers: no game server notices it. */
const GATHER_MS = 1;

/** A call, and the beat of the pulse before the request that it is made for, by performance.now(). */
export interface Dated<Call> {
  readonly call: Call;
  readonly since: number;
}

/** Makes all calls of a group. */
type RunGroup<Call> = (calls: readonly Dated<Call>[]) => Promise<readonly unknown[]>;

/**
 * Returns a function that makes one call, in a group. `run` must resolve with the reply to each call in order, or with
 * its error. A call that was not sent within `groupMs` is rejected with ProcessPaused.
 */
export function groupCalls<Call>(
  run: RunGroup<Call>,
  { groupMs }: Pick<Deadlines, 'groupMs'>,
  pulse: Pick<Pulse, 'beatAt'>,
  client: RedisClient,
): (call: Dated<Call>) => Promise<unknown> {
  return groupCommit({
    run: oneByOneIfRefused(run),
    mostItems: MOST_IN_A_GROUP,
    enoughItems: ENOUGH_IN_A_GROUP,
    gatherMs: GATHER_MS,
    longestWaitMs: groupMs,
    pulse,
    atEndOfRound: (leave) => leaveTogether(client, leave),
  });
}

/**
 * Repeats the calls of a refused group one by one. Redis refuses a whole group if it cannot run a part of it: one entry
 * may be damaged, and while a slot moves to another node, a call for many keys gets TRYAGAIN until all of them are
 * there. Rejects if Redis cannot be used at all.
 */
function oneByOneIfRefused<Call>(run: RunGroup<Call>): RunGroup<Call> {
  return async (calls) => {
    try {
      return await run(calls);
    } catch (error) {
      if (isOutage(error) && !isTryAgain(error)) throw error;
      if (calls.length === 1) return [error];
      return Promise.all(
        calls.map(async (call) => {
          try {
            return (await run([call]))[0];
          } catch (ownError) {
            return ownError;
          }
        }),
      );
    }
  };
}
