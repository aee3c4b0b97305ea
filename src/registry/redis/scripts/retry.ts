/**
 * Decides which failures of Redis are likely to pass by themselves, and repeats a command until they do.
 *
 * In a Cluster only a command that surely was not carried out is sent again (MOVED, ASK, TRYAGAIN, CLUSTERDOWN). After
 * a lost connection the outcome is not known, and the caller decides.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import { ProcessPaused } from '../../../runtime/pulse.ts';
import { OlderStoreError } from '../older-store.ts';

const PAUSE_MS = 40;

/**
 * The errors of Redis while it changes roles, moves slots or loads its data. NOSCRIPT: ioredis sends a script again by
 * itself, but calls that are under way together share that, and another program may flush the scripts in between.
 */
const PASSING_REPLY =
  /^(READONLY|NOREPLICAS|MASTERDOWN|LOADING|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED|NOSCRIPT)|non local key/;

/** Whether Redis cannot be used for now: it sent no answer, none in time, or an error that may pass. */
export function isOutage(error: unknown): boolean {
  if (error instanceof ProcessPaused || error instanceof OlderStoreError) return false;
  return !isReply(error) || PASSING_REPLY.test(error.message);
}

/** Whether a Cluster does not have all keys of the call at one node just now. */
export function isTryAgain(error: unknown): boolean {
  return isReply(error) && error.message.startsWith('TRYAGAIN');
}

/**
 * The time of Redis, ms since the epoch, at which it refused a write after its deadline; undefined for other errors.
 */
export function lateAt(error: unknown): number | undefined {
  const time = isReply(error) && /^LATE (\d+)/.exec(error.message)?.[1];
  return time ? Number(time) : undefined;
}

/** The errors for keys of a wrong type, fields that are no numbers, and sets that do not fit together: lua/mend.lua. */
const DAMAGE = /^WRONGTYPE|^DAMAGED|^ERR user_script:|^ERR value is not a valid float/;

/** Whether another program has written to the keys of the registry: a script found what no script of GSLS writes. */
export function isDamage(error: unknown): boolean {
  return isReply(error) && DAMAGE.test(error.message) && !isOutage(error);
}

/**
 * Repeats the command until it succeeds, fails for good, or `retryMs` are over. The command must be one that may run
 * twice: it may have run before its connection broke. A command that timed out is not repeated: its time is over.
 */
export function retryWhilePassing<T>(
  { retryMs }: Pick<Deadlines, 'retryMs'>,
  command: (isRepetition: boolean) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + retryMs;
  return command(false).catch((error: unknown) => repeatUntil(deadline, command, error));
}

/**
 * `failure`: the error of the first run. Rejects with the last error that Redis answered, if there is one: the loss of
 * a connection that such an answer led to is no reason.
 */
async function repeatUntil<T>(
  deadline: number,
  command: (isRepetition: boolean) => Promise<T>,
  failure: unknown,
): Promise<T> {
  let reason = failure;
  for (let error = failure; ;) {
    if (!isOutage(error) || isTimeout(error)) throw error;
    if (isReply(error) || !isReply(reason)) reason = error;
    if (performance.now() + PAUSE_MS > deadline) throw reason;
    await delay(PAUSE_MS);
    // The process may have been paused. A write that is repeated after so long could undo a later one.
    if (performance.now() > deadline) throw reason;
    try {
      return await command(true);
    } catch (nextError) {
      error = nextError;
    }
  }
}

/** Whether Redis itself has answered with this error. */
export function isReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}

/** It compares the message, because ioredis gives its errors no codes. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
