/** Explains that there are no servers yet, and how to list one. */

import './first-server.css';
import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';

/** The address of a service on this machine, used where no better one is known. */
const DEFAULT_URL = 'http://localhost:53600';

/** An address that is safe in a shell between double quotes: whoever asks for a page may choose the host in it. */
const HARMLESS = /^https?:\/\/[\w.:[\]/~-]+$/;

const FIELDS =
  '{"server_host":"eu1.example.com","server_name":"Frankfurt 1","server_port":7777,"server_ip":"203.0.113.7","players":3,"max_players":16}';

/**
 * A broadcast for a shell, for a person who wants to see a first server in the list. `url`: that of the service, with
 * or without a slash at its end.
 */
function exampleBroadcast(url: string): string {
  const base = (HARMLESS.test(url) ? url : DEFAULT_URL).replace(/\/+$/, '');
  return `curl "${base}/broadcast" -d '${FIELDS}'`;
}

/** The command that starts another service with an example list. */
const EXAMPLE_LIST = 'gsls demo --port 8080';

/** `serviceUrl`: the address by which the reader reaches the service. */
export function FirstServer({ serviceUrl }: { readonly serviceUrl: string }): JSX.Element {
  const { state, texts } = usePage();
  const { title, broadcast, key, demo } = texts.firstServer;
  // A reader of an embedded page is a player.
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
