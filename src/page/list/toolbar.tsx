/** The totals of the list, the switch that pauses it, and quick join. */

import './toolbar.css';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { QuickJoinButton } from '../join/quick-join-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { useListStatus, useLive, usePage } from '../parts/page-context.ts';
import { useShortcuts } from '../parts/use-shortcuts.ts';

/** How often changes are read aloud at most. */
const SPOKEN_EVERY_MS = 5000;

export function Toolbar(): JSX.Element {
  const { list } = useLive();
  const { texts } = usePage();
  const { rows, isPaused } = useListStatus();
  const count = rows === undefined ? '' : texts.count(rows.total, rows.listed, rows.players);
  const waiting = rows?.waiting ?? 0;
  const togglePause = (): void => list.pause(!list.status.isPaused);
  const pauseButton = useRef<HTMLButtonElement>(null);
  const showWaiting = (): void => {
    list.showWaiting();
    // The button disappears with what it has shown, and the focus must not be lost with it.
    pauseButton.current!.focus();
  };
  useShortcuts({ pause: togglePause });
  return (
    <div class="toolbar">
      <p class="count">{count}</p>
      <p class="visually-hidden" aria-live="polite">
        {useSlowed(count, SPOKEN_EVERY_MS)}
      </p>
      {waiting > 0 && (
        <button type="button" class="button waiting" onClick={showWaiting}>
          {texts.showWaiting(waiting)}
        </button>
      )}
      <button
        type="button"
        class="button pause"
        aria-pressed={isPaused}
        onClick={togglePause}
        ref={pauseButton}
      >
        <Icon name={isPaused ? 'play' : 'pause'} />
        <span class="text-if-wide">{texts.pause}</span>
      </button>
      <QuickJoinButton />
    </div>
  );
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
