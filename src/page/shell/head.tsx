/** The head of the page: its title, and links to its views. */

import type { ComponentChildren, JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

const VIEWS = ['list', 'overview'] as const;

/** `children`: buttons, which need the script. */
export function Head({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  const { settings, state, texts, root } = usePage();
  return (
    <>
      {state.view === 'list' && <SkipLink />}
      <header class="head">
        <h1>
          {settings.logo !== null && <img class="logo" src={root + settings.logo} alt="" />}
          <span title={settings.title}>{settings.title}</span>
        </h1>
        <nav aria-label={texts.views}>
          {VIEWS.map((view) => (
            <PageLink
              to={{ view, serverId: undefined }}
              aria-current={state.view === view ? 'page' : undefined}
              key={view}
            >
              {texts[view]}
            </PageLink>
          ))}
        </nav>
        {children}
      </header>
    </>
  );
}

/** The first stop of the Tab key: the way past the head and the bar. */
function SkipLink(): JSX.Element {
  const { texts } = usePage();
  return (
    <a class="button skip-link" href="#rows" onClick={skip}>
      {texts.skipToList}
    </a>
  );
}

function skip(event: MouseEvent): void {
  // The address stays as it is.
  event.preventDefault();
  document.getElementById('rows')?.focus();
}

/** The head of an embedded page: its name, a link to the page itself, and the state of its list. */
export function EmbedHead({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  const { settings, texts, hrefOf } = usePage();
  return (
    <header class="embed-head">
      <h1 title={settings.title}>{settings.title}</h1>
      <a href={hrefOf({ isEmbedded: false })} target="_blank" rel="noopener">
        {texts.openWholePage}
      </a>
      {children}
    </header>
  );
}
