/** The servers that match, page by page, by `GET /servers`. */

import { isServer } from './feed/changes-answer.ts';
import { isTextForUrl } from '../../../src/model/json.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { askAny, foreignAnswer, get, openServices, serversOf, type AskedService } from './service.ts';
import type { ServiceOptions, Urls } from './service-options.ts';

/** How servers are searched. */
export interface FindOptions extends ServiceOptions {
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
}

/** The servers that match. */
export interface FoundServers {
  /** Each once, in the order that the query asks for. */
  readonly servers: readonly ListedServer[];
  /** Since when the service does not know whether this is current. Undefined: it is. */
  readonly staleSince: Date | undefined;
}

const PAGE = 1000;
/** The most pages that are read: no service has as many. */
const MOST_PAGES = 1000;

/**
 * The servers that match a query, such as `region=eu&sort=-players&limit=50`: over all pages, or as many as its `limit`
 * says. The parameters are those of `GET /servers` (docs/find.md), as they stand in an address: use encodeURIComponent
 * for what a player has typed.
 *
 * Of several URLs each call asks the first one first. Rejects with a ServiceError if the service does not answer, or
 * says that the query is wrong; with a TypeError for a URL or a key that cannot be right; and with the reason of
 * `signal` once that is aborted.
 */
export async function find(url: Urls, query = '', options: FindOptions = {}): Promise<FoundServers> {
  return askAny(openServices(url, options), (service) => findAt(service, query, options), options.signal);
}

async function findAt(service: AskedService, query: string, { signal }: FindOptions): Promise<FoundServers> {
  const asked = query.replace(/^\?/, '').split('&');
  const ofAllPages = asked.filter((each) => each !== '' && !/^(?:limit|cursor)=/.test(each));
  const limitText = asked.findLast((each) => each.startsWith('limit='))?.slice(6);
  const limit = Number(limitText ?? Infinity);
  let cursor = asked.findLast((each) => each.startsWith('cursor='))?.slice(7);
  let staleSince: Date | undefined;
  const found = new Map<string, ListedServer>();
  for (let page = 1; ; page += 1) {
    // The service refuses a limit that is no number.
    const size = limit >= 1 ? Math.min(PAGE, limit - found.size) : limitText;
    const parameters = [
      ...ofAllPages,
      `limit=${size}`,
      ...(cursor === undefined ? [] : [`cursor=${cursor}`]),
    ];
    const got = await get(service, `/servers?${parameters.join('&')}`, { signal });
    staleSince = got.staleSince ?? staleSince;
    for (const server of serversOf(got, isServer)) {
      // The server has moved: its last place is the true one.
      found.delete(server.id);
      found.set(server.id, server);
    }
    const { next } = got.body;
    if (next === null || found.size >= limit)
      return { servers: [...found.values()].slice(0, limit), staleSince };
    if (!isTextForUrl(next) || page === MOST_PAGES) throw foreignAnswer();
    cursor = encodeURIComponent(next);
  }
}
