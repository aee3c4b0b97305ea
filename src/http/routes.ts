/** The table of all routes: path, method, endpoint, key. Knows nothing of what the endpoints do. */

import { ServiceError } from '../errors.ts';
import type { AdminEndpoints } from './admin.ts';
import type { Access } from './auth.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';

export interface Route {
  /** By method, in the order of the Allow header. Every route answers OPTIONS as well. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Which key a request needs. */
  readonly access: Access;
  /** Whether the endpoints take fields from the body or the query. */
  readonly takesFields: boolean;
  /** Whether pages of other origins may read the answers, where CORS is on. */
  readonly openToBrowsers: boolean;
}

/**
 * By exact path. The last part of a path may be open, as in `/admin/bans/{ban}`. The fast path knows only exact paths, so
 * such a route has neither GET nor POST.
 */
export type Routes = ReadonlyMap<string, Route>;

/** The open part of a path. */
export const PARAMETER = /\{\w+\}$/;

/** `admin`: the endpoints of moderators; without an admin key there are none, and their paths do not exist. */
export function createRoutes(endpoints: Endpoints, admin?: AdminEndpoints): Routes {
  const { broadcast, ping, remove, list, health, metrics } = endpoints;
  const reading = { access: 'read', takesFields: false, openToBrowsers: true } as const;
  const writing = { access: 'key', takesFields: true, openToBrowsers: false } as const;
  const operating = { access: 'key', takesFields: false, openToBrowsers: false } as const;
  return new Map<string, Route>([
    ['/', { endpoints: { GET: list, HEAD: list }, ...reading }],
    ['/health', { endpoints: { GET: health, HEAD: health }, ...reading }],
    ['/metrics', { endpoints: { GET: metrics, HEAD: metrics }, ...operating }],
    ['/broadcast', { endpoints: { POST: broadcast }, ...writing }],
    ['/ping', { endpoints: { GET: ping, POST: ping }, ...writing }],
    ['/remove', { endpoints: { POST: remove }, ...writing }],
    ...(admin === undefined ? [] : adminTable(admin)),
  ]);
}

function adminTable(admin: AdminEndpoints): readonly (readonly [path: string, route: Route])[] {
  const { bans, addBan, removeBan, audit, allServers, evict } = admin;
  const moderating = { access: 'admin', takesFields: true, openToBrowsers: false } as const;
  return [
    ['/admin/bans', { endpoints: { GET: bans, POST: addBan }, ...moderating }],
    ['/admin/bans/{ban}', { endpoints: { DELETE: removeBan }, ...moderating }],
    ['/admin/audit', { endpoints: { GET: audit }, ...moderating, takesFields: false }],
    ['/admin/servers', { endpoints: { GET: allServers }, ...moderating }],
    ['/admin/servers/{id}', { endpoints: { DELETE: evict }, ...moderating }],
  ];
}

/** Which key the request needs. Only GET and HEAD read; a path that does not exist needs a key as well. */
export function accessOf(route: Route | undefined, method: string): Access {
  if (route?.access === 'read' && method !== 'GET' && method !== 'HEAD') return 'key';
  return route?.access ?? 'key';
}

/** The paths for a person who has mistaken one: those for the admin are left out. */
export function knownPaths(routes: Routes): string {
  return [...routes].flatMap(([path, { access }]) => (access === 'admin' ? [] : [path])).join(', ');
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
