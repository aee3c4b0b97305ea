/** The page: its head, the view that the address asks for, and the shortcuts that work everywhere. */

import './app.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { EmbedHead, Head } from './head.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { JoinDialog } from '../join/join-dialog.tsx';
import { List } from '../list/list.tsx';
import { MissingDialog } from '../missing/missing-dialog.tsx';
import { useLive, usePage } from '../parts/page-context.ts';
import { NearContext, useNearState } from '../near/use-near.ts';
import { Notice } from './notice.tsx';
import { Overview } from '../overview/overview.tsx';
import { PageFooter } from './page-footer.tsx';
import { ServerPage } from '../server/server-page.tsx';
import { StateButton } from './state-button.tsx';
import { QuickJoinContext, useQuickJoinState } from '../join/use-quick-join.ts';
import { useShortcuts } from '../hooks/use-shortcuts.ts';
import { applyKeptTheme, chooseTheme, THEMES } from '../parts/theme.ts';

export function App(): JSX.Element {
  const { place } = useLive();
  const { state, navigate } = usePage();
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  useFrameHeight(state.isEmbedded, state.serverId !== undefined);
  useLayoutEffect(() => {
    // The list scrolls by itself once its rows are there.
    const wanted = state.view === 'list' ? undefined : place.take();
    if (wanted !== undefined) scrollTo({ top: wanted === 'top' ? 0 : wanted, behavior: 'instant' });
  }, [state]);
  useShortcuts({
    search: () => document.getElementById('search')?.focus(),
    list: () => navigate({ view: 'list', serverId: undefined }),
    overview: () => navigate({ view: 'overview', serverId: undefined }),
    ...(!state.isEmbedded && { favourite: () => clickButtonOf('favourite') }),
    copy: () => clickButtonOf('copy'),
    help: () => setIsHelpOpen(true),
  });
  return (
    <NearContext.Provider value={useNearState()}>
      <QuickJoinContext.Provider value={useQuickJoinState()}>
        {state.isEmbedded ? (
          <EmbedHead>
            <StateButton />
          </EmbedHead>
        ) : (
          <Head>
            <StateButton />
            <ThemeButton />
            <HelpButton onClick={() => setIsHelpOpen(true)} />
          </Head>
        )}
        <main>
          <Notice />
          <View />
        </main>
        {!state.isEmbedded && <PageFooter />}
        <JoinDialog />
        <MissingDialog />
        {isHelpOpen && <HelpDialog onClose={() => setIsHelpOpen(false)} />}
      </QuickJoinContext.Provider>
    </NearContext.Provider>
  );
}

function View(): JSX.Element {
  const { state } = usePage();
  if (state.view === 'overview') return <Overview />;
  return state.view === 'server' ? <ServerPage id={state.serverId!} key={state.serverId} /> : <List />;
}

function HelpButton({ onClick }: { readonly onClick: () => void }): JSX.Element {
  const { title } = usePage().texts.shortcuts;
  return (
    <button type="button" class="icon-button help-button" title={title} onClick={onClick}>
      <Icon name="help" />
      <span class="visually-hidden">{title}</span>
    </button>
  );
}

/** The switch between the theme of the system, light, and dark. */
function ThemeButton(): JSX.Element {
  const { texts } = usePage();
  // The theme is applied again: while replicas are upgraded, the script that does so first may be missing.
  const [theme, setTheme] = useState(applyKeptTheme);
  const turn = (): void => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    chooseTheme(next);
    setTheme(next);
  };
  const label = texts.theme[theme];
  return (
    <button type="button" class="icon-button" title={label} onClick={turn}>
      <Icon name={theme} />
      <span class="visually-hidden">{label}</span>
    </button>
  );
}

/** Clicks the button of the server with the modal details, the focus in its details or row, or the pointer. */
function clickButtonOf(command: 'favourite' | 'copy'): void {
  const places = [
    'dialog:modal',
    '.details:focus-within',
    '.row:focus-within',
    '.row:hover',
    '.row.is-active',
    '.server-page',
  ];
  for (const place of places) {
    const button = document.querySelector<HTMLElement>(`${place} [data-command="${command}"]`);
    if (button !== null) return button.click();
  }
}

/** The greatest height of a frame, some 25 rows. A longer list is scrolled within the frame. */
const MOST_PX = 1200;
/** The height for the details of a server. */
const DETAILS_PX = 480;

/**
 * Reports the height of this page to the page around it, where embed.js makes the frame as tall. `hasDetails`: whether
 * one server is shown over the list.
 */
function useFrameHeight(isEmbedded: boolean, hasDetails: boolean): void {
  useEffect(() => {
    if (!isEmbedded || window.parent === window) return undefined;
    const content = document.getElementById('app')!;
    // The message goes to any origin: the service chooses who may frame the page, and the height is no secret.
    const tell = (): void => {
      const height = Math.max(content.offsetHeight, hasDetails ? DETAILS_PX : 0);
      window.parent.postMessage({ type: 'gsls:height', height: Math.min(height, MOST_PX) }, '*');
    };
    const answer = ({ source, data }: MessageEvent<{ readonly type?: unknown } | null>): void => {
      if (source === window.parent && data?.type === 'gsls:height') tell();
    };
    const resized = new ResizeObserver(tell);
    resized.observe(content);
    addEventListener('message', answer);
    return () => {
      resized.disconnect();
      removeEventListener('message', answer);
    };
  }, [isEmbedded, hasDetails]);
}
