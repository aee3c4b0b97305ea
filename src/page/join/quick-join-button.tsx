/** The button of quick join, the hint if it finds no server, and the note on the server that it has picked. */

import './quick-join.css';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { sayAloud } from '../hooks/say-aloud.ts';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { useShortcuts } from '../hooks/use-shortcuts.ts';
import { useQuickJoin } from './use-quick-join.ts';

export function QuickJoinButton(): JSX.Element {
  const { state, texts, navigate } = usePage();
  const { server, isOver, pick, forget } = useQuickJoin();
  const button = useRef<HTMLButtonElement>(null);
  useShortcuts({ quickJoin: pick });

  const isNarrowed = state.filters.length > 0 || state.isFavouritesOnly;
  const complaint = isOver && server === undefined ? texts.quickJoin.none : undefined;
  useEffect(() => {
    if (complaint !== undefined) sayAloud(complaint);
  }, [complaint]);
  const leave = (): void => {
    // The focus must not be lost with the button that had it.
    button.current!.focus();
    forget();
  };
  const clearFilters = (): void => {
    leave();
    navigate({ filters: [], isFavouritesOnly: false });
  };
  return (
    <>
      <button
        type="button"
        class="button is-main quick-join"
        title={texts.quickJoin.open}
        onClick={pick}
        ref={button}
      >
        <Icon name="bolt" />
        <span>{texts.quickJoin.open}</span>
      </button>
      {complaint !== undefined && (
        <div class="bottom-note">
          <p>{complaint}</p>
          {isNarrowed && (
            <button type="button" class="button" onClick={clearFilters}>
              {texts.filters.clearAll}
            </button>
          )}
          <button type="button" class="icon-button" aria-label={texts.close} onClick={leave}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </>
  );
}

/** The note in the details of a server that quick join has picked: what was done, and a button for another server. */
export function PickedNote({ id }: { readonly id: string }): JSX.Element | null {
  const { texts } = usePage();
  const { server, done, isOver, pickAnother } = useQuickJoin();
  const isPicked = server?.id === id;
  const note = isOver ? texts.quickJoin.noOther : texts.quickJoin.picked[done];
  useEffect(() => {
    if (isPicked) sayAloud(note);
  }, [isPicked, server, note]);
  if (!isPicked) return null;
  return (
    <div class="in-lines picked-note">
      <p>{note}</p>
      <button type="button" class="button" onClick={pickAnother}>
        {texts.quickJoin.another}
      </button>
    </div>
  );
}
