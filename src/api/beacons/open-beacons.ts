/** The room of the beacons that the operator has named: `GET /beacons` tells who measures them where they are. */

import { hash } from 'node:crypto';
import type { BeaconMap } from '../../model/near.ts';
import { parseParameters } from '../../model/query/parse-query.ts';
import { jsonAnswer } from '../http/answer.ts';
import type { Context, Room } from '../http/context.ts';
import { describedIn } from '../http/route.ts';

const describe = describedIn(() => import('./operations.ts'));

/** Beacons seldom change, and whoever measures them asks again in an hour. */
const MAX_AGE_S = 60;

export interface BeaconsContext extends Pick<Context, 'isPrivate'> {
  /** Undefined without beacons: then there are no routes. */
  readonly options: BeaconMap | undefined;
}

export function openBeacons({ options: map, isPrivate }: BeaconsContext): Room {
  if (map === undefined) return { routes: [] };
  const caching = { 'Cache-Control': `${isPrivate ? 'private' : 'public'}, max-age=${MAX_AGE_S}` };
  const answer = jsonAnswer({ status: 'success', beacons: map.beacons }, caching);
  return {
    routes: [
      {
        method: 'GET',
        path: '/beacons',
        access: 'read',
        kind: 'list',
        input: 'query',
        cors: 'reading',
        endpoint: async ({ query }) => {
          parseParameters(query, {});
          return answer;
        },
        describe: describe('beacons'),
      },
    ],
  };
}

/** A short text that changes with the beacons, by which game servers learn that there is something new to measure. */
export function markOf({ beacons }: BeaconMap): string {
  const places = JSON.stringify(beacons.map(({ id, url }) => [id, url]));
  return hash('sha256', places, 'base64url').slice(0, 8);
}
