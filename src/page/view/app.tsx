/** The page: its head, and the view that the address asks for. */

import type { JSX } from 'preact';
import { lazyView } from './lazy-view.tsx';
import { ListView } from './list-view.tsx';
import { usePage } from './page-context.ts';

const Overview = lazyView(async () => (await import('./overview.tsx')).Overview);

export function App(): JSX.Element {
  const { settings, state, texts, hrefOf, navigate } = usePage();
  const link = (view: 'list' | 'overview'): JSX.Element => (
    <a
      href={hrefOf({ view, serverId: undefined })}
      aria-current={state.view === view ? 'page' : undefined}
      onClick={(event) => {
        event.preventDefault();
        navigate({ view, serverId: undefined });
      }}
    >
      {texts[view]}
    </a>
  );
  return (
    <>
      <header class="head">
        <h1>{settings.title}</h1>
        <nav>
          {link('list')}
          {link('overview')}
        </nav>
      </header>
      <main>{state.view === 'overview' ? <Overview /> : <ListView />}</main>
    </>
  );
}
