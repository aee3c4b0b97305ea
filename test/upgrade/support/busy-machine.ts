/**
 * An upgrade is asked what it loses, not how fast it is: these times and this load leave room for a busy machine. How
 * fast a replica answers and recovers, the fault suite asks.
 */

import { FULL_LOAD, type LoadOptions } from '../../support/load/load.ts';

export const TTL_SECONDS = 6;
/** Less than the TTL, so that a ping that gets no answer can be repeated in time. */
export const LONGEST_ANSWER_MS = 5000;
export const RECOVERS_WITHIN_MS = 5000;

/** About half of the full load. */
export const LOAD: LoadOptions = {
  ...FULL_LOAD,
  fleet: 150,
  broadcastsPerSecond: 10,
  listsPerSecond: 30,
  giveUpAfterMs: LONGEST_ANSWER_MS,
};
