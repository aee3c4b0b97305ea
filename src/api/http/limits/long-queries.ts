/** Long queries, which are read only if the work that they ask for is not refused anyway. */

import type { Turns } from '../../work/turns.ts';
import type { Endpoint } from '../route.ts';

/** In characters. To read a longer query takes as long as to refuse some requests: up to a ms. */
const LONG_QUERY = 512;

/** The endpoint, which reads no long query of a client whose work is refused. */
export function refuseUnread(endpoint: Endpoint, turns: Pick<Turns, 'check'>): Endpoint {
  return async (request) => {
    if (request.query.length > LONG_QUERY) turns.check(request);
    return endpoint(request);
  };
}
