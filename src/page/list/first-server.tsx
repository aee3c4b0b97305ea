/** Says that there are no servers yet, and how to list one. */

import './first-server.css';
import type { JSX } from 'preact';
import { EXAMPLE_LIST, exampleBroadcast } from './example-broadcast.ts';
import { usePage } from '../parts/page-context.ts';

/** `serviceUrl`: as the reader reaches it. */
export function FirstServer({ serviceUrl }: { readonly serviceUrl: string }): JSX.Element {
  const { state, texts } = usePage();
  const { title, broadcast, key, demo } = texts.firstServer;
  // Who reads the page of others is a player.
  if (state.isEmbedded) return <p class="note">{title}</p>;
  return (
    <div class="first-server">
      <h2>{title}</h2>
      <p>{broadcast}</p>
      <pre>
        <code>{exampleBroadcast(serviceUrl)}</code>
      </pre>
      <p class="aside">{key}</p>
      <p>{demo}</p>
      <pre>
        <code>{EXAMPLE_LIST}</code>
      </pre>
    </div>
  );
}
