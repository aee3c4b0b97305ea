/** A lifetime as one number, which a sorted set of Redis can hold. */

import type { EntryLifetime } from '../native-entries.ts';

/** A power of two above each time of a lifetime, in ms: no such time is longer than a day. */
export const LIFETIME_UNIT = 2 ** 26;

/** Returns the number of a lifetime; '' for none. */
export function lifetimeNumber(lifetime: EntryLifetime | undefined): number | '' {
  return lifetime === undefined ? '' : lifetime.ttlMs * LIFETIME_UNIT + lifetime.silentBelowMs;
}
