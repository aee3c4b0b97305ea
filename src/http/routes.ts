/** The table of all routes: path, method, endpoint. Knows nothing of what the endpoints do. */

import { ServiceError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';

export interface Route {
  /** By method, in the order of the Allow header. Every route answers OPTIONS as well. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Whether the endpoints take fields from the body or the query. */
  readonly takesFields: boolean;
  /** Whether pages of other origins may read the answers, where CORS is on. */
  readonly openToBrowsers: boolean;
}

/** By exact path. */
export type Routes = ReadonlyMap<string, Route>;

export function createRoutes({ broadcast, ping, remove, list, health, metrics }: Endpoints): Routes {
  const reading = { takesFields: false, openToBrowsers: true };
  const writing = { takesFields: true, openToBrowsers: false };
  return new Map<string, Route>([
    ['/', { endpoints: { GET: list, HEAD: list }, ...reading }],
    ['/health', { endpoints: { GET: health, HEAD: health }, ...reading }],
    ['/metrics', { endpoints: { GET: metrics, HEAD: metrics }, ...reading, openToBrowsers: false }],
    ['/broadcast', { endpoints: { POST: broadcast }, ...writing }],
    ['/ping', { endpoints: { GET: ping, POST: ping }, ...writing }],
    ['/remove', { endpoints: { POST: remove }, ...writing }],
  ]);
}

/** The value of the Allow header. */
export function allowedMethods(route: Route): string {
  return [...Object.keys(route.endpoints), 'OPTIONS'].join(', ');
}

/** The endpoint of the method. Throws a ServiceError `method_not_allowed`. */
export function endpointOf(route: Route, method: string): Endpoint {
  if (Object.hasOwn(route.endpoints, method)) return route.endpoints[method]!;
  throw new ServiceError('method_not_allowed', { headers: { Allow: allowedMethods(route) } });
}
