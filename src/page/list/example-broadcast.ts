/** A broadcast for a shell, to be pasted by who wants to see a first server in the list. */

/** Of the service on this machine, where nothing better is known. */
const DEFAULT_URL = 'http://localhost:53600';

/** What a shell takes as it is, between double quotes: whoever asks for a page may choose the host in it. */
const HARMLESS = /^https?:\/\/[\w.:[\]/~-]+$/;

const FIELDS =
  '{"server_host":"eu1.example.com","server_name":"Frankfurt 1","server_port":7777,"server_ip":"203.0.113.7","players":3,"max_players":16}';

/** `url`: of the service, with or without a slash at its end. */
export function exampleBroadcast(url: string): string {
  const base = (HARMLESS.test(url) ? url : DEFAULT_URL).replace(/\/+$/, '');
  return `curl "${base}/broadcast" -d '${FIELDS}'`;
}

/** Another service, as long as this one has nothing to show. */
export const EXAMPLE_LIST = 'gsls demo --port 8080';
