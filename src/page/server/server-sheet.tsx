/** One server with all its details: beside the list where there is room, and otherwise over it. */

import './server.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DETAILS_TITLE_ID } from '../parts/details-title.ts';
import { usePage } from '../parts/page-context.ts';
import { sayAloud } from '../hooks/say-aloud.ts';
import { isField } from '../hooks/use-shortcuts.ts';
import { DetailsHead } from './details-head.tsx';
import { ServerBody } from './server-body.tsx';
import { useServer } from './use-server.ts';
import { useServerTitle } from './use-server-title.ts';

export function ServerSheet(): JSX.Element | null {
  const { state } = usePage();
  const isBeside = useRoomBeside();
  if (state.serverId === undefined) return null;
  return <Details id={state.serverId} isBeside={isBeside} key={isBeside} />;
}

interface DetailsOptions {
  readonly id: string;
  /** Otherwise the details are a modal dialog, and the rest of the page waits until they are closed. */
  readonly isBeside: boolean;
}

function Details({ id, isBeside }: DetailsOptions): JSX.Element {
  const { navigate } = usePage();
  const status = useServer(id);
  const { server } = status;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => navigate({ serverId: undefined });

  // The browser moves the focus into the dialog. It must be closed before it is removed, so that the focus returns.
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (isBeside) element.show();
    else element.showModal();
    return () => element.close();
  }, []);
  // The key works from when they are seen.
  useLayoutEffect(() => {
    if (!isBeside) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isField(event.target)) return;
      if (document.querySelector('dialog:modal') === null) close();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isBeside, navigate]);

  const name = server?.name;
  const title = useServerTitle(name);

  // A reader with the focus in the details is told the name of the next server; one in the rows hears the rows.
  const read = useRef(id);
  useEffect(() => {
    if (read.current === id || name === undefined) return;
    read.current = id;
    if (dialog.current!.contains(document.activeElement)) sayAloud(name);
  }, [id, name]);

  return (
    <dialog
      ref={dialog}
      class={isBeside ? 'panel details is-beside' : 'details'}
      aria-labelledby={DETAILS_TITLE_ID}
      onClose={({ currentTarget }) => {
        // The dialog may have been closed by the address already.
        if (currentTarget.isConnected) close();
      }}
      onClick={({ target }) => {
        if (!isBeside && target === dialog.current) close();
      }}
    >
      <div class="details-content">
        <DetailsHead title={title} server={server} onClose={close} />
        <ServerBody id={id} status={status} onBack={close} />
      </div>
    </dialog>
  );
}

/** The least width of the page without its scrollbar, in rem, as larger type needs more room. */
const LEAST_REM = 75;

/** Whether the page is wide enough for the details of a server beside the list. */
function useRoomBeside(): boolean {
  const [hasRoom, setHasRoom] = useState(measure);
  useLayoutEffect(() => {
    const resized = new ResizeObserver(() => setHasRoom(measure()));
    resized.observe(document.getElementById('app')!);
    return () => resized.disconnect();
  }, []);
  return hasRoom;
}

function measure(): boolean {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return document.getElementById('app')!.clientWidth >= LEAST_REM * rem;
}
