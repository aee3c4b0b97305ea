/** Which failures of Redis are likely to pass by themselves, and repeating a command while they do. */

import { setTimeout as delay } from 'node:timers/promises';

/**
 * A failover, the move of a slot or a lost connection is over by then, or takes too long for a client to wait:
 * with the last attempt's own time limit a caller has an answer within 2 s.
 */
const BUDGET_MS = 1000;
const PAUSE_MS = 40;

/** What Redis says while it changes roles, moves slots or loads its data. */
const PASSING_REPLY =
  /^(READONLY|NOREPLICAS|MASTERDOWN|LOADING|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED)|non local key/;

/** Whether Redis answered, but not to us, or not at all; no answer in time counts as well. */
export function isOutage(error: unknown): boolean {
  return !isReply(error) || PASSING_REPLY.test(error.message);
}

/** Keys of another type than ours, numbers that are none, sets that do not fit together: see lua/mend.lua. */
const DAMAGE = /^WRONGTYPE|^DAMAGED|^ERR user_script:|^ERR value is not a valid float/;

/** Whether somebody else has written to our keys, so that a script met what none of ours leaves there. */
export function isDamage(error: unknown): boolean {
  return isReply(error) && DAMAGE.test(error.message) && !isOutage(error);
}

/**
 * Repeats the command until it succeeds, fails for good, or the budget is spent. Only for what may be carried out
 * twice: a command whose connection broke may have been. One that timed out is not repeated, its time is over.
 */
export async function retryWhilePassing<T>(command: (isRepetition: boolean) => Promise<T>): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    const startedAt = performance.now();
    try {
      return await command(deadline !== undefined);
    } catch (error) {
      deadline ??= startedAt + BUDGET_MS;
      if (!isOutage(error) || isTimeout(error) || performance.now() + PAUSE_MS > deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

/** ioredis gives its errors no codes. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
