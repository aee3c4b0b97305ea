/** The head of the page: its title, and the ways to its views. */

import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

const VIEWS = ['list', 'overview'] as const;

/** `onHelp`: opens the help; undefined where the page cannot. */
export function Head({ onHelp }: { readonly onHelp?: () => void }): JSX.Element {
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
      {onHelp !== undefined && (
        <button type="button" class="icon-button" title={texts.shortcuts.title} onClick={onHelp}>
          <Icon name="help" />
          <span class="visually-hidden">{texts.shortcuts.title}</span>
        </button>
      )}
    </header>
  );
}
