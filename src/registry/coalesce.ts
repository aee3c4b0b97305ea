/** Sharing one piece of asynchronous work among all who need its result to be newer than their question. */

import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';

/**
 * Returns a function that resolves with the result of a turn that **started after** the call. At most one turn
 * runs and at most one waits, so a call waits for at most the rest of the running turn and one whole turn, and
 * any number of calls share it: they get the very same promise.
 *
 * Before a turn the event loop goes round, so that all the requests that came in together share it. `aftermath`
 * is what the callers do with the last result; the next turn lets it pass, and collects those who come back
 * with their next question at once: otherwise they would fall into two groups and every turn serve one of them.
 */
export function coalesce<T>(
  turn: () => Promise<T>,
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
        return turn();
      });
      lastSettled = waiting.catch(() => undefined);
    }
    return waiting;
  };
}
