/** The link to the form for a missing server: below the list, where a person who runs one ends their search. */

import './missing-line.css';
import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export const MISSING_ID = 'missing';

export function MissingLine(): JSX.Element | null {
  const { state, texts } = usePage();
  // A reader of an embedded page is a player.
  if (state.isEmbedded) return null;
  return (
    <p class="missing-line">
      <PageLink to={{ isMissingOpen: true }}>{texts.missing.open}</PageLink>
    </p>
  );
}

/** The form needs the script; a browser without scripts shows this instead. */
export function MissingWithoutScript(): JSX.Element | null {
  const { state, texts } = usePage();
  if (state.isEmbedded) return null;
  return (
    <noscript>
      <p class="missing-line" id={MISSING_ID}>
        {texts.missing.open} {texts.missing.withoutScript} <code>gsls doctor URL HOST:PORT</code>
      </p>
    </noscript>
  );
}
