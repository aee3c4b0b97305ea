/** Sharing one run of asynchronous work among all callers that need its result to be newer than their call. */

import { setImmediate as nextRoundOfTheLoop } from 'node:timers/promises';

/**
 * Returns a function that resolves with the result of a run that **started after** the call. At most one run is under
 * way and at most one waits: a call waits for the rest of the present run and for one whole run, at most. Any number
 * of calls share a run; they get the very same promise.
 *
 * A run gets what the last of its calls has brought. Before it the event loop goes round once, so that all requests
 * that came in together share it.
 */
export function coalesce<T, Brought = void>(
  run: (brought: Brought) => Promise<T>,
): (brought: Brought) => Promise<T> {
  let lastSettled: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  let latest: Brought;

  return (brought) => {
    latest = brought;
    if (waiting === undefined) {
      waiting = lastSettled
        .then(() => nextRoundOfTheLoop())
        .then(() => {
          waiting = undefined;
          return run(latest);
        });
      lastSettled = waiting.catch(() => undefined);
    }
    return waiting;
  };
}
