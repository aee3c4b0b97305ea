/** The room of queries: pages of the list, single entries, statistics. */

import type { Context, Room } from '../http/context.ts';
import { refuseUnread } from '../http/limits/long-queries.ts';
import { describedIn, type Route } from '../http/route.ts';
import type { Pages } from './pages.ts';
import type { OnQuery } from './query-matches.ts';
import { createJoin, createServer, createServers } from './servers.ts';
import { createStats } from './stats.ts';

export interface FindContext extends Context {
  readonly pages: Pages;
  /** Called for each query for statistics. */
  readonly onQuery: OnQuery;
}

const READING = { method: 'GET', access: 'read', kind: 'list', input: 'query', cors: 'reading' } as const;

const describe = describedIn(() => import('./operations.ts'));

export function openFind(context: FindContext): Room {
  const { config, turns } = context;
  const join: Route = {
    ...READING,
    path: '/join/{code}',
    endpoint: createJoin(context),
    kind: 'join',
    describe: describe('join'),
  };
  return {
    routes: [
      {
        ...READING,
        path: '/servers',
        endpoint: refuseUnread(createServers(context), turns),
        describe: describe('servers'),
      },
      {
        ...READING,
        path: '/servers/{id}',
        endpoint: createServer(context),
        describe: describe('server'),
      },
      {
        ...READING,
        path: '/stats',
        endpoint: refuseUnread(createStats(context), turns),
        describe: describe('stats'),
      },
      // Without unlisted entries there are no join codes.
      ...(config.allowUnlisted ? [join] : []),
    ],
  };
}
