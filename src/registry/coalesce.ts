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
 * Before a run the event loop goes round once, so that all requests that came in together share it.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let lastSettled: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;

  return () => {
    if (waiting === undefined) {
      waiting = lastSettled
        .then(() => nextTurnOfTheLoop())
        .then(() => {
          waiting = undefined;
          return run();
        });
      lastSettled = waiting.catch(() => undefined);
    }
    return waiting;
  };
}
