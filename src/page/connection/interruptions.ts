/** The times since this page was opened at which its list was not current. */

import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';

export interface Interruption {
  /** `stale`: the service declared its list not current. `away`: the service was not reached. */
  readonly is: 'stale' | 'away';
  /** When the list ceased to be current, in ms since the epoch. */
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/** How many interruptions are kept, the latest ones. */
const MOST = 20;

/** The interruptions after the feed went from one state into another, the latest first. */
export function noteState(
  known: readonly Interruption[],
  before: ContactState,
  feed: ContactState,
  now: number,
): readonly Interruption[] {
  const [latest, ...earlier] = known;
  const open = latest?.to === undefined ? latest : undefined;
  if (open !== undefined && open.is === feed.is) return known;
  // A page that is hidden, or not yet connected again, does not know whether the interruption is over.
  const isKnown = feed.is !== 'asleep' && feed.is !== 'connecting';
  const ended = open === undefined || !isKnown ? known : [{ ...open, to: now }, ...earlier];
  if (feed.is !== 'stale' && feed.is !== 'away') return ended;
  // A page that was hidden does not know how long the service was away.
  const isSinceAsOf = open === undefined && (feed.is === 'stale' || before.is === 'live');
  const from = isSinceAsOf ? (feed.asOf ?? now) : now;
  return [{ is: feed.is, from, to: undefined }, ...ended].slice(0, MOST);
}
