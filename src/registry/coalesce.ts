/**
 * Sharing one run of asynchronous work among all callers that need its result to be newer than their call. Knows
 * nothing of the work.
 */

import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';

/**
 * Returns a function that resolves with the result of a run that **started after** the call. At most one run is under
 * way and at most one waits: a call waits for the rest of the present run and for one whole run, at most. Any number
 * of calls share a run; they get the very same promise.
 *
 * Before a run the event loop goes round once, so that all requests that came in together share it. `aftermath` is
 * what the callers do with the last result, if that takes time. The next run waits for it, and so collects the
 * callers that come back at once with their next call. Without it they would fall into two groups, and each run would
 * serve one.
 */
export function coalesce<T>(
  run: () => Promise<T>,
  aftermath?: () => Promise<unknown> | undefined,
): () => Promise<T> {
  let lastSettled: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;

  async function gather(): Promise<void> {
    await nextTurnOfTheLoop();
    const after = aftermath?.();
    if (after === undefined) return;
    await after;
    await nextTurnOfTheLoop();
    await nextTurnOfTheLoop();
  }

  return () => {
    if (waiting === undefined) {
      waiting = lastSettled.then(gather).then(() => {
        waiting = undefined;
        return run();
      });
      lastSettled = waiting.catch(() => undefined);
    }
    return waiting;
  };
}
