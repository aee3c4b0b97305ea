/**
 * The state of the list, with its totals: a switch that pauses it, and shows changes that wait. What is said at length
 * of a list that is not current lies over the lower end of the window, so that no row moves.
 */

import './state-button.css';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ContactState } from '../../../clients/typescript/src/feed/contact-state.ts';
import { Icon } from '../parts/icon.tsx';
import { useListStatus, useLive, usePage } from '../parts/page-context.ts';
import { useShortcuts } from '../hooks/use-shortcuts.ts';
import type { Texts } from '../texts/en.ts';

/** How often totals are read aloud at most. */
const SPOKEN_EVERY_MS = 5000;

const LOOKS = { live: 'ok', connecting: 'wait', asleep: 'wait', stale: 'warn', away: 'bad' } as const;

export function StateButton(): JSX.Element {
  const { list } = useLive();
  const { texts } = usePage();
  const { feed, isPaused, rows } = useListStatus();
  const waiting = rows?.waiting ?? 0;
  const press = (): void => {
    if (isPaused) list.pause(false);
    else if (waiting > 0) list.showWaiting();
    else list.pause(true);
  };
  useShortcuts({ pause: () => list.pause(!list.status.isPaused) });
  const count = rows === undefined ? [] : texts.count(rows.matching, rows.listed, rows.players);
  const spoken = count.join('');
  const words = [
    feed.is === 'live' && !isPaused && waiting > 0 ? '' : stateWord(feed, isPaused, texts),
    waiting > 0 ? texts.changes(waiting) : '',
  ].filter((word) => word !== '');
  // A list that connects while it has rows is about to be live, and a word of a moment would only move the numbers.
  const isQuiet =
    !isPaused && waiting === 0 && (feed.is === 'live' || (feed.is === 'connecting' && rows !== undefined));
  const action = isPaused ? texts.goOn : waiting > 0 ? texts.showChanges : texts.pause;
  return (
    <>
      <button
        type="button"
        class={`state is-${isPaused && feed.is === 'live' ? 'wait' : LOOKS[feed.is]}`}
        aria-label={`${words.join(', ')}. ${spoken}. ${action}`}
        title={action}
        onClick={press}
      >
        <span class={isQuiet ? 'state-word visually-hidden' : 'state-word'}>{words.join(' · ')}</span>
        <span class="count">
          {count.map((part) => (/^\d/.test(part) ? <b>{part}</b> : <span>{part}</span>))}
        </span>
      </button>
      <p class="visually-hidden" aria-live="polite">
        {useSlowed(spoken, SPOKEN_EVERY_MS)}
      </p>
      <p class="visually-hidden" role="status">
        {feed.is === 'live' && isPaused ? texts.feed.paused : statementOf(feed, texts)}
      </p>
      {(feed.is === 'stale' || feed.is === 'away') && <Outage feed={feed} />}
    </>
  );
}

function stateWord(feed: ContactState, isPaused: boolean, { feed: texts }: Texts): string {
  if (feed.is === 'live') return isPaused ? texts.paused : texts.live;
  return texts.word[feed.is];
}

function statementOf(feed: ContactState, { feed: texts }: Texts): string {
  return feed.is === 'away' ? texts.away[feed.reason] : texts[feed.is];
}

/** How old the list is, why, and what one can do. Its seconds tick by themselves, and are not read aloud. */
function Outage({ feed }: { readonly feed: Extract<ContactState, { is: 'stale' | 'away' }> }): JSX.Element {
  const { list } = useLive();
  const { texts, formats } = usePage();
  const now = useClock();
  const since = feed.asOf === undefined ? '' : texts.feed.since(formats.time(feed.asOf));
  return (
    <div class={`bottom-note is-${LOOKS[feed.is]}`}>
      <Icon name="away" />
      <p>
        <strong>{statementOf(feed, texts)}</strong>{' '}
        {feed.is === 'stale'
          ? texts.feed.age((now - feed.asOf) / 1000)
          : `${since} ${texts.feed.nextTry((feed.retryAt - now) / 1000)}`}
      </p>
      {feed.is === 'away' && (
        <button type="button" class="button" onClick={() => list.retry()}>
          {texts.feed.retry}
        </button>
      )}
    </div>
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

/** The latest text, in which two changes are at least `ms` apart. */
function useSlowed(text: string, ms: number): string {
  const [slowed, setSlowed] = useState(text);
  const latest = useRef(text);
  latest.current = text;
  useEffect(() => {
    const timer = setInterval(() => setSlowed(latest.current), ms);
    return () => clearInterval(timer);
  }, [ms]);
  return slowed;
}
