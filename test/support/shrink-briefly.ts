/**
 * For properties whose runs take long: a failure is made smaller for a while, and not for as long as it gets smaller.
 */

import * as fc from 'fast-check';

/** Enough for some dozens of runs of half a second. */
const LONGEST_SHRINKING_MS = 20_000;

/**
 * The check of a property, for 20 s from its first failure on. After that it skips all runs, so that fast-check ends
 * and tells the seed, the path and the smallest counterexample found so far.
 */
export function shrinkBriefly<Value>(
  check: (value: Value) => Promise<void>,
): (value: Value) => Promise<void> {
  let endsAt = Infinity;
  return async (value) => {
    fc.pre(performance.now() < endsAt);
    try {
      await check(value);
    } catch (error) {
      endsAt = Math.min(endsAt, performance.now() + LONGEST_SHRINKING_MS);
      throw error;
    }
  };
}
