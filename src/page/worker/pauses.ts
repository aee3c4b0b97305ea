/** How long the page waits before it asks the service again. */

import type { Failure } from './changes-answer.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** The page connects again no sooner, whatever a stream says. */
const SHORTEST_PAUSE_MS = 100;
/** No Retry-After makes the page wait longer. */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/** After one more than `failures` in a row. `random`: from 0 to 1. */
export function pauseAfterFailure(
  { reason, retryAfterMs }: Failure,
  failures: number,
  random: number,
): number {
  const doublings = reason === 'unauthorized' ? Infinity : failures;
  const longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings);
  return Math.min(retryAfterMs ?? longestMs * (0.5 + random / 2), LONGEST_RETRY_AFTER_MS);
}

/** `retryMs`: what the stream has said; undefined if it said nothing. `random`: from 0 to 1. */
export function pauseAfterStream(retryMs: number | undefined, random: number): number {
  const wantedMs = retryMs ?? FIRST_PAUSE_MS * (0.5 + random / 2);
  return Math.min(Math.max(wantedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}
