/** Says that there are no servers yet, and how to list one. */

import './first-server.css';
import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';

/** The address of a service on this machine, where nothing better is known. */
const DEFAULT_URL = 'http://localhost:53600';

/** What a shell takes as it is, between double quotes: whoever asks for a page may choose the host in it. */
const HARMLESS = /^https?:\/\/[\w.:[\]/~-]+$/;

const FIELDS =
  '{"server_host":"eu1.example.com","server_name":"Frankfurt 1","server_port":7777,"server_ip":"203.0.113.7","players":3,"max_players":16}';

/**
 * A broadcast for a shell, to be pasted by who wants to see a first server in the list. `url`: of the service, with or
 * without a slash at its end.
 */
function exampleBroadcast(url: string): string {
  const base = (HARMLESS.test(url) ? url : DEFAULT_URL).replace(/\/+$/, '');
  return `curl "${base}/broadcast" -d '${FIELDS}'`;
}

/** Another service, as long as this one has nothing to show. */
const EXAMPLE_LIST = 'gsls demo --port 8080';

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
