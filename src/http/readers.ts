/**
 * The endpoints that read what is listed, besides `GET /`, by their paths. Here each gets what it needs; what it does is in a
 * file of its own. All are open to browsers, read the query themselves, and count as lists for rate limits and load
 * shedding. Knows neither Koa nor sockets.
 */

import type { Registry } from '../registry/registry.ts';
import type { CurrentList } from './current-list.ts';
import type { Endpoint } from './endpoint.ts';

/** The last part of a path may be open: see routes.ts. */
export type ReaderPath = '/servers' | '/servers/{id}' | '/stats' | '/changes' | '/history' | '/join/{code}';

/** Those that are not there have no path either. */
export type Readers = Readonly<Partial<Record<ReaderPath, Endpoint>>>;

export interface ReadersOptions {
  readonly registry: Registry;
  readonly currentList: CurrentList;
  /** ms since the epoch. */
  readonly now: () => number;
}

export function createReaders(_options: ReadersOptions): Readers {
  return {};
}
