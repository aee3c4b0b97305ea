/** Says of a server in its details that quick join has picked it, what was done for it, and leads on to another one. */

import './picked-note.css';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { announce } from '../parts/announce.ts';
import { usePage } from '../parts/page-context.ts';
import { useQuickJoin } from './use-quick-join.ts';

export function PickedNote({ id }: { readonly id: string }): JSX.Element | null {
  const { texts } = usePage();
  const { server, done, isOver, pickAnother } = useQuickJoin();
  const isPicked = server?.id === id;
  const note = isOver ? texts.quickJoin.noOther : texts.quickJoin.picked[done];
  useEffect(() => {
    if (isPicked) announce(note);
  }, [isPicked, server, note]);
  if (!isPicked) return null;
  return (
    <div class="picked-note">
      <p>{note}</p>
      <button type="button" class="button" onClick={pickAnother}>
        {texts.quickJoin.another}
      </button>
    </div>
  );
}
