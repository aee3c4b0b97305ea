/** One server with all its details: beside the list where there is room, and otherwise over it. */

import './server-details.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState, useCallback } from 'preact/hooks';
import { sayAloud } from '../parts/say-aloud.ts';
import { DetailsHead } from './details-head.tsx';
import { PickedNote } from '../join/quick-join-button.tsx';
import { DETAILS_TITLE_ID } from '../parts/details-title.ts';
import { SaidByServer } from './said-by-server.tsx';
import { ServerActions } from './server-actions.tsx';
import { usePage, useListStatus } from '../parts/page-context.ts';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { isField } from '../parts/use-shortcuts.ts';
import { AnswerError, getJson, type Answers } from '../connection/get-json.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { useQuickJoin } from '../join/use-quick-join.ts';
import { useRepeated } from '../connection/use-repeated.ts';

export function ServerDetails(): JSX.Element | null {
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
  const { settings, texts, navigate } = usePage();
  const { server, is } = useServer(id);
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => navigate({ serverId: undefined });

  // The browser moves the focus into the dialog. It must be closed before it is removed, so that the focus returns.
  useLayoutEffect(() => {
    const element = dialog.current!;
    if (isBeside) element.show();
    else element.showModal();
    return () => element.close();
  }, []);
  useEffect(() => {
    if (!isBeside) return undefined;
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || isField(event.target)) return;
      if (document.querySelector('dialog:modal') === null) close();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isBeside, navigate]);

  const name = server?.name;
  const title = name ?? texts.details.title;
  useEffect(() => {
    const before = document.title;
    document.title = `${title} – ${settings.title}`;
    return () => {
      document.title = before;
    };
  }, [title, settings.title]);

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
      class={isBeside ? 'details is-beside' : 'details'}
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
        <p class="details-state" role="status">
          {is === 'listed' ? '' : texts.details.state[is]}
        </p>
        {is === 'not listed' && (
          <button type="button" class="button is-main" onClick={close}>
            {texts.details.back}
          </button>
        )}
        <PickedNote id={id} />
        {server !== undefined && is !== 'not listed' && <ServerActions server={server} />}
        {server !== undefined && is === 'listed' && isUnlistedServer(server) && (
          <p class="muted">{texts.details.unlisted}</p>
        )}
        {server !== undefined && <SaidByServer server={server} />}
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

interface ServerStatus {
  /** The server as it was last known; undefined before the first answer. */
  readonly server: ListedServer | undefined;
  readonly is: 'loading' | 'listed' | 'not listed' | 'away';
}

const REFRESH_MS = 5000;

/** One server with all its details, merged from the service and the list. */
function useServer(id: string): ServerStatus {
  const { rows } = useListStatus();
  const [told, setTold] = useState<{ readonly id: string; readonly server: ListedServer | undefined }>();
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      const server = await getServer(id, signal);
      setTold((before) => ({ id, server: server ?? (before?.id === id ? before.server : undefined) }));
      setListed({ id, isListed: server !== undefined });
    },
    [id],
  );
  const [listed, setListed] = useState<{ readonly id: string; readonly isListed: boolean }>();
  const hasFailed = useRepeated(refresh, REFRESH_MS);

  // Quick join knows a server that may have no row in view.
  const { server: picked } = useQuickJoin();
  const known = (told?.id === id ? told.server : undefined) ?? (picked?.id === id ? picked : undefined);
  // The row of the list is newer, but has little of meta, or none.
  const row = rows?.rows.find(({ server, isGone }) => server.id === id && !isGone)?.server;
  const server = row === undefined ? known : { ...row, ...(known?.meta && { meta: known.meta }) };
  const isGone = row === undefined && listed?.id === id && !listed.isListed;
  if (isGone) return { server, is: 'not listed' };
  if (server !== undefined) return { server, is: 'listed' };
  return { server, is: hasFailed ? 'away' : 'loading' };
}

/** Undefined if the server is not listed. */
async function getServer(id: string, signal: AbortSignal): Promise<ListedServer | undefined> {
  // Dots alone would mean another folder in the address.
  if (/^\.{1,2}$/.test(id)) return undefined;
  try {
    return (await getJson<Answers['OneServer']>(`servers/${encodeURIComponent(id)}`, signal)).server;
  } catch (error) {
    if (error instanceof AnswerError && error.code === 'unknown_server') return undefined;
    throw error;
  }
}
