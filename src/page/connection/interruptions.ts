/** When the list of this page was not current since it was opened. */

import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';

export interface Interruption {
  /** `stale`: the service said that its list is not current; `away`: the service was not reached. */
  readonly is: 'stale' | 'away';
  /** Since when the list was not current, in ms since the epoch. */
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** The latest ones are kept, up to this many. */
const MOST = 20;

/** What is known after the feed came from one state into another, the latest first. */
export function noteState(
  known: readonly Interruption[],
  before: ContactState,
  feed: ContactState,
  now: number,
): readonly Interruption[] {
  const [latest, ...earlier] = known;
  const open = latest?.to === undefined ? latest : undefined;
  if (open !== undefined && open.is === feed.is) return known;
  // A page that is hidden, or not yet connected again, has not heard that it is over.
  const isKnown = feed.is !== 'asleep' && feed.is !== 'connecting';
  const ended = open === undefined || !isKnown ? known : [{ ...open, to: now }, ...earlier];
  if (feed.is !== 'stale' && feed.is !== 'away') return ended;
  // A page that was hidden does not know how long the service was away.
  const isSinceAsOf = open === undefined && (feed.is === 'stale' || before.is === 'live');
  const from = isSinceAsOf ? (feed.asOf ?? now) : now;
  return [{ is: feed.is, from, to: undefined }, ...ended].slice(0, MOST);
}
