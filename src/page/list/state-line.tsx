/** A line on how current the list is, and what to do if it is not. Its seconds tick by themselves. */

import './state-line.css';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import type { Texts } from '../texts/en.ts';
import { useListStatus, useLive, usePage } from '../parts/page-context.ts';

const LOOKS = { live: 'ok', connecting: 'wait', asleep: 'wait', stale: 'warn', away: 'bad' } as const;

export function StateLine(): JSX.Element {
  const { list } = useLive();
  const { texts } = usePage();
  const { feed, isPaused } = useListStatus();
  const isPausedLive = isPaused && feed.is === 'live';
  return (
    <div class={`state-line is-${isPausedLive ? 'wait' : LOOKS[feed.is]}`}>
      {/* The times change each second, and are not read aloud by themselves. */}
      {feed.is === 'stale' && <Age asOf={feed.asOf} />}
      <p role="status">{isPausedLive ? texts.feed.paused : statementOf(feed, texts)}</p>
      {feed.is === 'away' && <Times asOf={feed.asOf} retryAt={feed.retryAt} />}
      {feed.is === 'away' && (
        <button type="button" class="button" onClick={() => list.retry()}>
          {texts.feed.retry}
        </button>
      )}
    </div>
  );
}

function statementOf(feed: ContactState, { feed: texts }: Texts): string {
  return feed.is === 'away' ? texts.away[feed.reason] : texts[feed.is];
}

/** The age of a list that is not current. */
function Age({ asOf }: { readonly asOf: number }): JSX.Element {
  const { texts } = usePage();
  return <p class="muted">{texts.feed.age((useClock() - asOf) / 1000)}</p>;
}

interface TimesOptions {
  readonly asOf: number | undefined;
  readonly retryAt: number;
}

/** The time of the list, and the time until the next try. */
function Times({ asOf, retryAt }: TimesOptions): JSX.Element {
  const { texts, formats } = usePage();
  const now = useClock();
  return (
    <p class="muted">
      {asOf !== undefined && texts.feed.since(formats.time(asOf))}{' '}
      {texts.feed.nextTry((retryAt - now) / 1000)}
    </p>
  );
}

/** The time, updated each second. ms since the epoch. */
function useClock(): number {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
