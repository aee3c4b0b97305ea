/** Sharing one run of asynchronous work among all callers that need its result to be newer than their call. */

import { setImmediate as nextRoundOfTheLoop } from 'node:timers/promises';

/** How long calls that come one after the other are awaited, in ms. */
const LONGEST_GATHERING_MS = 1;

/**
 * Returns a function that resolves with the result of a run that **started after** the call. At most one run is under
 * way and at most one waits: a call waits for the rest of the present run and for one whole run, at most. Any number
 * of calls share a run; they get the very same promise.
 *
 * A run gets what the last of its calls has brought. Before it the event loop goes round once, and again for as long as
 * each round brings a call, within a limit: so requests that came in together share it. `now`: ms of a clock that
 * cannot be set.
 */
export function coalesce<T, Brought = void>(
  run: (brought: Brought) => Promise<T>,
  now = () => performance.now(),
): (brought: Brought) => Promise<T> {
  let lastSettled: Promise<unknown> = Promise.resolve();
  let waiting: Promise<T> | undefined;
  let latest: Brought;
  let calls = 0;

  async function gather(): Promise<void> {
    const until = now() + LONGEST_GATHERING_MS;
    let before: number;
    do {
      before = calls;
      await nextRoundOfTheLoop();
    } while (calls > before && now() < until);
  }

  return (brought) => {
    latest = brought;
    calls += 1;
    if (waiting === undefined) {
      waiting = lastSettled.then(gather).then(() => {
        waiting = undefined;
        return run(latest);
      });
      lastSettled = waiting.catch(() => undefined);
    }
    return waiting;
  };
}
