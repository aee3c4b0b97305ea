/** The head of the page: its title, and links to its views. */

import './embed-head.css';
import type { ComponentChildren, JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

const VIEWS = ['list', 'overview'] as const;

/** `children`: buttons, which need the script. */
export function Head({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  const { settings, state, texts } = usePage();
  return (
    <header class="head">
      <h1>
        {settings.logo !== null && <img class="logo" src={settings.logo} alt="" />}
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
  );
}

/** The head of an embedded page: its name, and a link to the page itself. */
export function EmbedHead(): JSX.Element {
  const { settings, texts, hrefOf } = usePage();
  return (
    <header class="embed-head">
      <h1>{settings.title}</h1>
      <a href={hrefOf({ isEmbedded: false })} target="_blank" rel="noopener">
        {texts.openWholePage}
      </a>
    </header>
  );
}
