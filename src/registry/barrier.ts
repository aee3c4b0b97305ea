/** Sharing one piece of asynchronous work among all who need its result to be newer than their question. */

import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';

/**
 * Returns a function that resolves with the result of a turn that **started after** the call. At most one turn
 * runs and at most one waits, so a call waits for at most the rest of the running turn and one whole turn, and
 * any number of calls share it: they get the very same promise. A turn starts only after the event loop has
 * gone round, so that all the requests that came in together share one.
 */
export function createBarrier<T>(turn: () => Promise<T>): () => Promise<T> {
  let lastSettled: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;

  return () => {
    if (waiting === undefined) {
      waiting = lastSettled
        .then(() => nextTurnOfTheLoop())
        .then(() => {
          waiting = undefined;
          return turn();
        });
      lastSettled = waiting.catch(() => undefined);
    }
    return waiting;
  };
}
