/** Reads what matches a query from a service, page by page. */

import type { ServiceAnswer, Ask } from '../../../clients/typescript/src/ask.ts';
import { isServer, staleSince } from '../../../clients/typescript/src/feed/changes-answer.ts';
import type { ListedServer } from '../../model/view/listed-server.ts';

export interface ServersRead {
  readonly servers: readonly ListedServer[];
  /** How many game servers match, on all pages. */
  readonly total: number;
  /** When the list was current, if the service says that it is not. ms. */
  readonly staleSince: number | undefined;
}

const LONGEST_PAGE = 1000;
/** The largest page: with the `meta` of a thousand servers, and more. */
const MOST_BYTES = 16 * 1_048_576;
const TIMEOUT_MS = 30_000;

/** `most`: how many are wanted. Resolves with the answer that is no page, if there is one. */
export async function readServers(
  ask: Ask,
  query: string,
  most: number,
  now: () => number,
): Promise<ServersRead | ServiceAnswer> {
  const servers: ListedServer[] = [];
  let first = query;
  for (;;) {
    const limit = Math.min(LONGEST_PAGE, most - servers.length);
    const path = `/servers?${[first, `limit=${limit}`].filter((part) => part !== '').join('&')}`;
    const answer = await ask({ method: 'GET', path, timeoutMs: TIMEOUT_MS, mostBytes: MOST_BYTES });
    const { servers: page, total, next } = answer.body;
    if (answer.status !== 200 || !Array.isArray(page) || typeof total !== 'number' || !page.every(isServer))
      return answer;
    servers.push(...page);
    if (typeof next !== 'string' || page.length === 0 || servers.length >= most)
      return { servers, total, staleSince: staleSince(answer.headers, now()) };
    const others = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('cursor='));
    first = [...others, `cursor=${encodeURIComponent(next)}`].join('&');
  }
}
