/**
 * Rate limits: how many requests of one kind one client may send in a window of time. A limited endpoint counts,
 * refuses, and reports in headers what is left; an endpoint without a limit is unchanged. The headers are RateLimit and
 * RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-11.
 */

import { ServiceError } from '../../../model/service-error.ts';
import { networkOf } from '../../../model/net/ip.ts';
import { withLimits, type Endpoint, type RequestKind, type Route } from '../route.ts';

/** The window of a client, which begins with its first request. */
export interface RateWindow {
  /** How many requests were counted in it, this one included. */
  readonly requests: number;
  readonly endsInMs: number;
}

export interface RateLimit {
  /** How many requests a client may send in a window. */
  readonly requests: number;
  readonly windowS: number;
  /** Counts a request of the client. It never rejects, and never takes long. */
  readonly count: (client: string) => RateWindow | Promise<RateWindow>;
}

/** A kind without a limit is absent. */
export type RateLimits = Readonly<Partial<Record<RequestKind, RateLimit>>>;

export interface RateLimitEvents {
  /** Called for a counted request whose address may be that of a proxy, so that many clients share one limit. */
  readonly onDoubt?: () => void;
  /** Called for a refused request. */
  readonly onLimited?: (kind: RequestKind) => void;
}

/** The routes, limited by their kinds. A client is an IPv4 address or an IPv6 network (networkOf). */
export function limitRates(
  routes: readonly Route[],
  limits: RateLimits,
  events: RateLimitEvents = {},
): readonly Route[] {
  return routes.map((route) => {
    const limit = route.kind && limits[route.kind];
    return limit === undefined
      ? route
      : withLimits(route, limitRate(route.kind!, route.endpoint, limit, events));
  });
}

function limitRate(
  kind: RequestKind,
  endpoint: Endpoint,
  { requests: most, windowS, count }: RateLimit,
  { onDoubt, onLimited }: RateLimitEvents,
): Endpoint {
  const policy = `"${kind}";q=${most};w=${windowS}`;
  return async (request) => {
    if (request.client.doubt !== undefined) onDoubt?.();
    const { requests, endsInMs } = await count(networkOf(request.client.address));
    const endsInS = Math.max(1, Math.ceil(endsInMs / 1000));
    const usage = `"${kind}";r=${Math.max(0, most - requests)};t=${endsInS}`;
    if (requests > most) {
      onLimited?.(kind);
      throw new ServiceError('rate_limited', {
        about: `${most} of the kind "${kind}" in ${windowS} s`,
        message: `this address may send ${most} requests of the kind "${kind}" in ${windowS} s: wait ${endsInS} s`,
        headers: { 'Retry-After': String(endsInS), 'RateLimit-Policy': policy, RateLimit: usage },
      });
    }
    try {
      const { status, headers, body } = await endpoint(request);
      return { status, headers, body, onlyHere: ['RateLimit-Policy', policy, 'RateLimit', usage] };
    } catch (error) {
      throw error instanceof ServiceError
        ? error.withHeaders({ 'RateLimit-Policy': policy, RateLimit: usage })
        : error;
    }
  };
}
