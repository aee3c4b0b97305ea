/** Going through many things without keeping the event loop from other work. */

import { setImmediate as nextRoundOfTheLoop } from 'node:timers/promises';

/** Work goes on for so long before other work gets the event loop, in ms. */
const LONGEST_TURN_MS = 2;

/**
 * Takes them one by one; after each 2 ms the event loop goes round once. No `for await`: it would cost a microsecond
 * for each.
 */
export async function inTurns<T>(all: Iterable<T>, take: (each: T) => void): Promise<void> {
  let beganAt = performance.now();
  for (const each of all) {
    if (performance.now() - beganAt > LONGEST_TURN_MS) {
      await nextRoundOfTheLoop();
      beganAt = performance.now();
    }
    take(each);
  }
}
