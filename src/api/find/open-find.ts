/** The room of queries: pages of the list, single entries, statistics. */

import type { Context, Room } from '../http/context.ts';
import { refuseUnread } from '../http/limits/long-queries.ts';
import { describedIn, type Route } from '../http/route.ts';
import type { BeaconMap } from '../../model/near.ts';
import type { Pages } from './pages.ts';
import { createNearest } from './nearest.ts';
import { createJoin, createServer, createServers } from './servers.ts';
import { createBadge } from './badge.ts';
import { createServerHistory } from './server-history.ts';
import type { Stats } from './statistics.ts';
import { createStats } from './stats.ts';

export interface FindRoomOptions {
  /** Whether game servers may be unlisted: without them there are no join codes. */
  readonly allowUnlisted: boolean;
  /** Undefined without beacons. */
  readonly beacons: BeaconMap | undefined;
}

export interface FindContext extends Context {
  readonly options: FindRoomOptions;
  readonly pages: Pages;
  readonly stats: Stats;
  /** Whether the paths of the registry begin below the root of the service, so that links have to be relative. */
  readonly isBelow: boolean;
  /** The end of every cursor of this registry. */
  readonly cursorMark: string;
}

const READING = { method: 'GET', access: 'read', kind: 'list', input: 'query', cors: 'reading' } as const;
const describe = describedIn(() => import('./operations.ts'));

export function openFind(context: FindContext): Room {
  const { options, turns } = context;
  const { serverHistories } = context.registry;
  const readNear = createNearest({ ...context, beacons: options.beacons });
  const servers = refuseUnread(createServers({ ...context, readNear }), turns);
  const server = createServer(context);
  const stats = refuseUnread(createStats(context), turns);
  const join = createJoin(context);
  const badge = createBadge(context);
  const routes: readonly Route[] = [
    { ...READING, path: '/servers', endpoint: servers, describe: describe('findServers') },
    { ...READING, path: '/servers/{id}', endpoint: server, describe: describe('getServer') },
    { ...READING, path: '/servers/{id}/badge.svg', endpoint: badge, describe: describe('badge') },
    ...(serverHistories === undefined
      ? []
      : [
          {
            ...READING,
            path: '/servers/{id}/history',
            endpoint: createServerHistory(context, serverHistories),
            describe: describe('serverHistory'),
          },
        ]),
    { ...READING, path: '/stats', endpoint: stats, describe: describe('stats') },
    { ...READING, path: '/join/{code}', endpoint: join, kind: 'join', describe: describe('join') },
  ];
  return { routes: options.allowUnlisted ? routes : routes.filter(({ kind }) => kind !== 'join') };
}
