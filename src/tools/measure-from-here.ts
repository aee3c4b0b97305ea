/** How far the beacons of a service are from this machine. */

import type { ServiceAnswer } from '../../clients/typescript/src/ask.ts';
import { beaconsIn, measureBeacons } from '../../clients/typescript/src/beacons/measure.ts';
import type { Latency } from '../model/near.ts';

/** `answer`: that of `GET /beacons`. The fetch of Node keeps a connection open, which http-fetch.ts does not. */
export function measureFromHere({ body }: ServiceAnswer): Promise<Latency> {
  return measureBeacons(beaconsIn(body), { fetch });
}
