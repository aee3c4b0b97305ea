/** Whether the list is current, and when it was not: by the gaps of the history, and by what this page has noticed. */

import type { JSX } from 'preact';
import { findOutages, MINUTES_KEPT_MS, type HistoryStatus } from './history.ts';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { Formats } from '../texts/formats.ts';
import type { Texts } from '../texts/en.ts';
import { useListStatus, usePage } from '../parts/page-context.ts';

type StatisticsTexts = Texts['statistics'];

/** How many times are shown, the latest ones. */
const MOST = 5;

export function ListCurrency({ minutes }: { readonly minutes: HistoryStatus }): JSX.Element {
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const { feed, interruptions } = useListStatus();
  const now = Date.now();
  const times = [
    ...findOutages(minutes.points ?? new Map(), now).map(({ from, to }) => ({
      from,
      is: 'outage' as const,
      when: to === undefined ? statistics.interruptedSince(formats.time(from)) : formats.period(from, to),
    })),
    ...interruptions.map(({ is, from, to }) => ({
      from,
      is,
      when:
        to === undefined
          ? statistics.interruptedSince(formats.exactTime(from))
          : formats.exactPeriod(from, to),
    })),
  ].toSorted((one, other) => other.from - one.from);
  return (
    <section>
      <h3>{statistics.isListCurrent}</h3>
      <p class={`currency ${feed.is === 'live' ? 'is-current' : feed.is === 'connecting' ? '' : 'is-not'}`}>
        {feedText(feed, statistics, formats, now)}
      </p>
      {times.length === 0 ? (
        <p>{neverText(minutes, statistics, formats, now)}</p>
      ) : (
        <>
          <h4>{statistics.interruptions}</h4>
          <ul>
            {times.slice(0, MOST).map(({ from, is, when }) => (
              <li key={`${from} ${is}`}>
                {when}: {statistics.interruption[is]}
              </li>
            ))}
            {times.length > MOST && <li>{statistics.moreTimes(times.length - MOST)}</li>}
          </ul>
        </>
      )}
    </section>
  );
}

function feedText(
  feed: ContactState,
  texts: StatisticsTexts,
  { exactTime, ago }: Formats,
  now: number,
): string {
  if (feed.is === 'stale') return texts.staleSince(exactTime(feed.asOf), ago(feed.asOf, now));
  if (feed.is !== 'away') return texts.currency[feed.is];
  return feed.asOf === undefined
    ? texts.awayWithoutList
    : texts.awaySince(exactTime(feed.asOf), ago(feed.asOf, now));
}

/** The text for a list of which no interruption is known. */
function neverText(
  { points, hasFailed }: HistoryStatus,
  texts: StatisticsTexts,
  { dateTime }: Formats,
  now: number,
): string {
  if (points === undefined) return hasFailed ? texts.noNumbers : texts.loadingNumbers;
  if (points.size === 0) return texts.noHistoryYet.minute;
  const first = Math.min(...points.keys());
  // An hour is subtracted, as the oldest minutes disappear one by one.
  const isWhole = now - first > MINUTES_KEPT_MS - 3_600_000;
  return isWhole ? texts.noInterruptions : texts.noInterruptionsSince(dateTime(first));
}
