/**
 * The endpoints that read what is listed, besides `GET /`, by their paths. Here each gets what it needs; what it does is in a
 * file of its own. All are open to browsers, read the query themselves, and count as lists for rate limits and load
 * shedding. Knows neither Koa nor sockets.
 */

import type { OnQuery } from '../find/query-matches.ts';
import type { Pages } from '../find/pages.ts';
import type { Turns } from '../work/turns.ts';
import type { Registry } from '../registry/registry.ts';
import { createChanges, type ChangesOptions } from '../feed/changes.ts';
import type { Endpoint } from './endpoint.ts';
import { createHistory } from '../lists/history.ts';
import { createJoin, createServer, createServers } from '../find/servers.ts';
import { createStats } from '../lists/stats.ts';

/** The last part of a path may be open: see routes.ts. */
export type ReaderPath = '/servers' | '/servers/{id}' | '/stats' | '/changes' | '/history' | typeof JOIN_PATH;

export const JOIN_PATH = '/join/{code}';

/** Those that are not there have no path either. */
export type Readers = Readonly<Partial<Record<ReaderPath, Endpoint>>>;

export interface ReadersOptions extends ChangesOptions {
  readonly registry: Registry;
  /** Whether there are unlisted entries, and with them join codes. */
  readonly allowUnlisted: boolean;
  readonly pages: Pages;
  /** Called for each query for statistics. */
  readonly onQuery?: OnQuery | undefined;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** In characters. To read a longer query takes as long as to refuse some requests: up to a ms. */
const LONG_QUERY = 512;

export function createReaders(options: ReadersOptions): Readers {
  const { turns, allowUnlisted } = options;
  return {
    '/servers': refuseUnread(createServers(options), turns),
    '/servers/{id}': createServer(options),
    '/stats': refuseUnread(createStats(options), turns),
    '/changes': refuseUnread(createChanges(options), turns),
    '/history': createHistory(options),
    ...(allowUnlisted && { [JOIN_PATH]: createJoin(options) }),
  };
}

/** The endpoint, which reads no long query of a client whose work is refused. */
export function refuseUnread(endpoint: Endpoint, turns: Pick<Turns, 'check'>): Endpoint {
  return (request) => {
    if (request.query.length <= LONG_QUERY) return endpoint(request);
    try {
      turns.check(request);
    } catch (error) {
      return Promise.reject(error);
    }
    return endpoint(request);
  };
}
