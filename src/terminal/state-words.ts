/** How a reader stands to the service, in words. */

import type { AwayReason, ContactState } from '../client/contact-state.ts';

const REASONS: Readonly<Record<AwayReason, string>> = {
  unreachable: 'it does not answer',
  unavailable: 'it has no list right now',
  unauthorized: 'the key is missing or wrong',
  limited: 'it has too many requests',
  refused: 'it refuses, or is another program',
};

/** `cause`: why the last request got no answer, if it is known. */
export function stateWords(state: ContactState, now: number, cause: string | undefined): string {
  if (state.is === 'connecting') return 'connecting';
  if (state.is === 'live') return 'live';
  if (state.is === 'asleep' || state.is === 'stale') return `not current: as of ${timeOf(state.asOf)}`;
  const why = (state.reason === 'unreachable' && cause) || REASONS[state.reason];
  const seconds = Math.max(0, Math.ceil((state.retryAt - now) / 1000));
  const asOf = state.asOf === undefined ? '' : `, as of ${timeOf(state.asOf)}`;
  return `away: ${why}${asOf}, next try in ${seconds} s`;
}

/** Of the day, here. */
function timeOf(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((each) => String(each).padStart(2, '0'))
    .join(':');
}
