/** The kinds of requests, for all that counts or refuses requests by kind. Knows of an endpoint only its kind. */

import type { Browse } from '../browse/browse.ts';
import type { Endpoint } from './endpoint.ts';
import { JOIN_PATH, type Readers } from './readers.ts';

/** Of the kind `join` are those that try a join code, of the kind `list` are `GET /`, the page and all other readers. */
export const REQUEST_KINDS = ['broadcast', 'ping', 'remove', 'list', 'join'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** The endpoints that are of a kind. */
export type EndpointsByKind = Readonly<Record<Exclude<RequestKind, 'join'>, Endpoint>> & {
  readonly readers: Readers;
  /** The page for people, if there is one. */
  readonly browse?: Browse | undefined;
};

/** The endpoints, each one that is of a kind in what `wrap` puts around it. */
export function wrapEach<All extends EndpointsByKind>(
  endpoints: All,
  wrap: (endpoint: Endpoint, kind: RequestKind) => Endpoint,
): All {
  const { broadcast, ping, remove, list, readers, browse } = endpoints;
  const wrappedReaders = Object.entries(readers).map(([path, reader]) => [
    path,
    wrap(reader, path === JOIN_PATH ? 'join' : 'list'),
  ]);
  return {
    ...endpoints,
    broadcast: wrap(broadcast, 'broadcast'),
    ping: wrap(ping, 'ping'),
    remove: wrap(remove, 'remove'),
    list: wrap(list, 'list'),
    readers: Object.fromEntries(wrappedReaders) as Readers,
    ...(browse && { browse: { ...browse, page: wrap(browse.page, 'list') } }),
  };
}
