/** The head of the page where it is a part of another page: its name, and the way to the page itself. */

import './embed-head.css';
import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';

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
