/** A lifetime as one number, which a sorted set of Redis can hold. */

import type { EntryLifetime } from '../native-entries.ts';

/** A time of a lifetime, which is a day at most, in ms, is less. */
export const LIFETIME_UNIT = 2 ** 26;

/** The number of a lifetime; '' for none. */
export function lifetimeNumber(lifetime: EntryLifetime | undefined): number | '' {
  return lifetime === undefined ? '' : lifetime.ttlMs * LIFETIME_UNIT + lifetime.silentBelowMs;
}
