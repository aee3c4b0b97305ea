/**
 * The endpoints that read what is listed, besides `GET /`, by their paths. Here each gets what it needs; what it does is in a
 * file of its own. All are open to browsers, read the query themselves, and count as lists for rate limits and load
 * shedding. Knows neither Koa nor sockets.
 */

import type { OnQuery } from '../find/query-matches.ts';
import type { Pages } from '../find/pages.ts';
import type { Turns } from '../find/turns.ts';
import type { Registry } from '../registry/registry.ts';
import { createChanges, type ChangesOptions } from './changes.ts';
import type { Endpoint } from './endpoint.ts';
import { createHistory } from './history.ts';
import { createJoin, createServer, createServers } from './servers.ts';
import { createStats } from './stats.ts';

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
  readonly turns: Turns;
  /** Called for each query for statistics. */
  readonly onQuery?: OnQuery | undefined;
  /** ms since the epoch. */
  readonly now: () => number;
}

export function createReaders(options: ReadersOptions): Readers {
  return {
    '/servers': createServers(options),
    '/servers/{id}': createServer(options),
    '/stats': createStats(options),
    '/changes': createChanges(options),
    '/history': createHistory(options),
    ...(options.allowUnlisted && { [JOIN_PATH]: createJoin(options) }),
  };
}
