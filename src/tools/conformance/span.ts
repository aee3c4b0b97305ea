/** Whether a time is one that a scene allows. */

import type { Span } from './scene.ts';

/** The time that a busy machine may add to a pause on the wall clock. */
export const REAL_SLACK_MS = 1500;

/** By the ids of beacons, ms; of none: there is nothing to say. */
export type Spans = Readonly<Record<string, Span>>;

/** `isReal`: the time is one of the wall clock, ms. */
export function isWithin(ms: number, [from, to]: Span, isReal: boolean): boolean {
  const slackMs = isReal ? REAL_SLACK_MS : 0;
  // A timer on the wall clock may fire a little early.
  return ms >= from - (isReal ? 50 : 1) && ms <= to + slackMs + 1;
}
