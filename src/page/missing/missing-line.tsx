/** The way to the form for a server that is missing: below the list, where whoever runs one ends its search. */

import './missing-line.css';
import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export function MissingLine(): JSX.Element | null {
  const { state, texts } = usePage();
  // Who reads the page of others is a player.
  if (state.isEmbedded) return null;
  return (
    <p class="missing-line">
      <PageLink to={{ isMissingOpen: true }}>{texts.missing.open}</PageLink>
    </p>
  );
}

/** The form needs the script, and a browser that runs none shows this. */
export function MissingWithoutScript(): JSX.Element | null {
  const { state, texts } = usePage();
  if (state.isEmbedded) return null;
  return (
    <noscript>
      <p class="missing-line">
        {texts.missing.open} {texts.missing.withoutScript} <code>gsls doctor URL HOST:PORT</code>
      </p>
    </noscript>
  );
}
