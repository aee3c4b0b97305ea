/** Limits of what the clients of one network have done for them in a window of time. */

import { RateWindows } from '../api/http/limits/rate-windows.ts';
import { networkOf, type IpAddress } from '../model/net/ip.ts';

/** The most requests of one network in a window of time. */
export interface WindowLimit {
  readonly requests: number;
  readonly windowS: number;
}

/** Counts a request of the client, and returns whether it is within the limit. */
export type CountRequest = (client: IpAddress) => boolean;

/** Creates the counter of a limit. `now`: ms of a clock that cannot be set. */
export function perNetwork({ requests, windowS }: WindowLimit, now: () => number): CountRequest {
  const windows = new RateWindows(windowS * 1000, now);
  return (client) => windows.count(networkOf(client)).requests <= requests;
}
