/** Going through many things without keeping the event loop from other work. */

import { setImmediate as nextRoundOfTheLoop } from 'node:timers/promises';

/** Work goes on for so long before other work gets the event loop, in ms. */
const LONGEST_TURN_MS = 2;

/** Yields them one by one; after each 2 ms the event loop goes round once. */
export async function* inTurns<T>(all: Iterable<T>): AsyncIterable<T> {
  let beganAt = performance.now();
  for (const each of all) {
    if (performance.now() - beganAt > LONGEST_TURN_MS) {
      await nextRoundOfTheLoop();
      beganAt = performance.now();
    }
    yield each;
  }
}
