/** The tables of all routes, one for each port: path, method, endpoint, key. Knows nothing of what the endpoints do. */

import { ServiceError } from '../errors.ts';
import type { AdminEndpoints } from '../moderation/admin.ts';
import type { Access } from './auth.ts';
import type { Browse } from '../browse/browse.ts';
import type { Documents } from '../docs/documents.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from '../writes/endpoints.ts';
import type { OpsEndpoints } from '../ops/ops.ts';

export interface Route {
  /** By method, in the order of the Allow header. Every route answers OPTIONS as well. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Which key a request needs. */
  readonly access: Access;
  /** Whether the endpoints take fields from the body or the query. */
  readonly takesFields: boolean;
  /** Whether the endpoints read the query as it stands in the target: such a GET takes the fast path. */
  readonly takesQuery: boolean;
  /** Whether a GET changes something too. */
  readonly getWrites?: boolean;
  /** What pages of other origins may do with it: of those of --cors-origin read, of those of --cors-write-origin write. */
  readonly openToBrowsers: 'reading' | 'writing' | 'nothing';
}

/** A path of the table and its route. The last part of a path may be open, as in `/servers/{id}`. */
export type RouteOfPath = readonly [path: string, route: Route];

/** The open part of a path of the table. */
const PARAMETER = /\{\w+\}$/;

export interface FoundRoute {
  /** As in the table. */
  readonly path: string;
  readonly route: Route;
  /** The open part, still percent-encoded; undefined if the path has none. */
  readonly parameter: string | undefined;
}

/** Finds the routes of paths. The braces of an open part belong to the table: in a request they are plain text. */
export class Routes {
  /** For a person who has mistaken a path: those for the admin are left out. */
  readonly knownPaths: string;
  /** All paths with their routes. */
  readonly table: readonly RouteOfPath[];
  /** The patterns of a router with their routes. */
  readonly patterns: readonly RouteOfPath[];
  readonly #exact = new Map<string, FoundRoute>();
  /** By the path up to its open part. */
  readonly #open = new Map<string, RouteOfPath>();

  constructor(table: readonly RouteOfPath[]) {
    this.table = table;
    const known = table.filter(([, { access }]) => access !== 'admin');
    this.knownPaths = known.map(([path]) => path).join(', ');
    this.patterns = table.map(([path, route]) => [path.replace(PARAMETER, ':parameter'), route]);
    for (const [path, route] of table) {
      if (PARAMETER.test(path)) this.#open.set(path.replace(PARAMETER, ''), [path, route]);
      else this.#exact.set(path, { path, route, parameter: undefined });
    }
  }

  /** `path`: without a query. */
  find(path: string): FoundRoute | undefined {
    return this.#exact.get(path) ?? this.#findOpen(path);
  }

  #findOpen(path: string): FoundRoute | undefined {
    const start = path.lastIndexOf('/') + 1;
    if (start === path.length) return undefined;
    const open = this.#open.get(path.slice(0, start));
    return open === undefined ? undefined : { path: open[0], route: open[1], parameter: path.slice(start) };
  }
}

/** The open part of a path as its endpoint gets it. Throws a ServiceError `invalid_request`. */
export function decodeParameter(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    throw new ServiceError('invalid_request', {
      message: 'the path has an escape that is not UTF-8 after %',
    });
  }
}

/** What the public port has besides. */
export interface FurtherEndpoints {
  /** What describes the API. */
  readonly documents?: Documents | undefined;
  /** Where there is no operations port. */
  readonly metrics?: Endpoint | undefined;
  /** Those of moderators, where there is no operations port; without an admin key there are none, and their paths do not exist. */
  readonly admin?: AdminEndpoints | undefined;
}

const OPERATING = { takesFields: false, takesQuery: false, openToBrowsers: 'nothing' } as const;

/** The routes of the public port. */
export function createRoutes(endpoints: Endpoints, further: FurtherEndpoints = {}): Routes {
  const { documents, metrics, admin } = further;
  const { broadcast, ping, remove, list, health, readers, browse } = endpoints;
  const reading = {
    access: 'read',
    takesFields: false,
    takesQuery: false,
    openToBrowsers: 'reading',
  } as const;
  const writing = { access: 'key', takesFields: true, takesQuery: false, openToBrowsers: 'writing' } as const;
  return new Routes([
    ['/', { endpoints: { GET: list, HEAD: list }, ...reading }],
    ...Object.entries(readers).map(([path, reader]): RouteOfPath => [
      path,
      { endpoints: { GET: reader, HEAD: reader }, ...reading, takesQuery: true },
    ]),
    ...(browse === undefined ? [] : browseTable(browse)),
    ['/health', { endpoints: { GET: health, HEAD: health }, ...reading }],
    ...(metrics === undefined ? [] : [operating('/metrics', metrics)]),
    ['/broadcast', { endpoints: { POST: broadcast }, ...writing }],
    ['/ping', { endpoints: { GET: ping, POST: ping }, ...writing, getWrites: true }],
    ['/remove', { endpoints: { POST: remove }, ...writing }],
    ...(documents === undefined ? [] : documentsTable(documents)),
    ...(admin === undefined ? [] : adminTable(admin)),
  ]);
}

/** The routes of the operations port. */
export function createOpsRoutes(endpoints: OpsEndpoints, admin?: AdminEndpoints): Routes {
  const { metrics, livez, readyz, debugConfig } = endpoints;
  return new Routes([
    operating('/metrics', metrics),
    operating('/livez', livez, 'open'),
    operating('/readyz', readyz, 'open'),
    operating('/debug/config', debugConfig),
    ...(admin === undefined ? [] : adminTable(admin)),
  ]);
}

function operating(path: string, endpoint: Endpoint, access: Access = 'key'): RouteOfPath {
  return [path, { endpoints: { GET: endpoint, HEAD: endpoint }, ...OPERATING, access }];
}

function browseTable({ page, file }: Browse): readonly RouteOfPath[] {
  const reading = { access: 'read', takesFields: false, openToBrowsers: 'nothing' } as const;
  return [
    ['/browse', { endpoints: { GET: page, HEAD: page }, ...reading, takesQuery: true }],
    ['/browse/{file}', { endpoints: { GET: file, HEAD: file }, ...reading, takesQuery: false }],
  ];
}

function documentsTable({ description, page, pageFile }: Documents): readonly RouteOfPath[] {
  const reading = {
    access: 'read',
    takesFields: false,
    takesQuery: false,
    openToBrowsers: 'nothing',
  } as const;
  return [
    [
      '/openapi.json',
      { endpoints: { GET: description, HEAD: description }, ...reading, openToBrowsers: 'reading' },
    ],
    ['/docs', { endpoints: { GET: page, HEAD: page }, ...reading }],
    ['/docs/{file}', { endpoints: { GET: pageFile, HEAD: pageFile }, ...reading }],
  ];
}

function adminTable(admin: AdminEndpoints): readonly RouteOfPath[] {
  const { bans, addBan, removeBan, audit, allServers, evict } = admin;
  const moderating = {
    access: 'admin',
    takesFields: true,
    takesQuery: false,
    openToBrowsers: 'nothing',
  } as const;
  return [
    ['/admin/bans', { endpoints: { GET: bans, POST: addBan }, ...moderating }],
    ['/admin/bans/{ban}', { endpoints: { DELETE: removeBan }, ...moderating }],
    ['/admin/audit', { endpoints: { GET: audit }, ...moderating, takesFields: false }],
    ['/admin/servers', { endpoints: { GET: allServers }, ...moderating }],
    ['/admin/servers/{id}', { endpoints: { DELETE: evict }, ...moderating }],
  ];
}

/** What browsers ask for by themselves, at each host. */
const ICON_PATH = '/favicon.ico';

/** Which key a request needs that is to no route: one, except for what is asked on nobody's behalf. */
export function accessToNothing(path: string): Access {
  return path === ICON_PATH ? 'open' : 'key';
}

/** Which key a request to the route needs. Only GET and HEAD read. */
export function accessOf(route: Route, method: string): Access {
  if (route.access === 'read' && changesSomething(route, method)) return 'key';
  // Any page can have a browser send a GET, as for an image, with what the browser keeps.
  return route.getWrites && method === 'GET' ? 'bearer' : route.access;
}

/** Whether requests of the method may change something. */
export function changesSomething({ getWrites = false }: Route, method: string): boolean {
  return getWrites || (method !== 'GET' && method !== 'HEAD');
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
