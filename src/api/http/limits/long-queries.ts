/** Refuses long queries of clients without reading them, if the work for them would be refused anyway. */

import type { Turns } from '../../work/turns.ts';
import type { Endpoint } from '../route.ts';

/** The longest query that is always read, in characters: a longer one takes as long as some refusals, up to 1 ms. */
const LONG_QUERY = 512;

/** The endpoint, except that it refuses a long query unread if the client's work would be refused. */
export function refuseUnread(endpoint: Endpoint, turns: Pick<Turns, 'check'>): Endpoint {
  return async (request) => {
    if (request.query.length > LONG_QUERY) turns.check(request);
    return endpoint(request);
  };
}
