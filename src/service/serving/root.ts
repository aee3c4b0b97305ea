/**
 * The root of a service with several registries: what belongs to the process itself, and what becomes of a request that
 * is for none of them.
 */

import type { IncomingMessage } from 'node:http';
import { jsonAnswer, redirectAnswer, type Answer } from '../../api/http/answer.ts';
import { isToBeLeft, type Room } from '../../api/http/context.ts';
import type { ErrorLog } from '../../api/http/error-log.ts';
import type { Path } from '../../api/http/exchange.ts';
import { Guard } from '../../api/http/guard.ts';
import { pathOf } from '../../api/http/checks/request-rules.ts';
import type { Endpoint, Route } from '../../api/http/route.ts';
import { Routes } from '../../api/http/routes.ts';
import { createPath, type WayOptions, type Port } from '../../api/http/server/request-listener.ts';
import { ServiceError } from '../../model/service-error.ts';
import { createAddressMask } from '../../model/net/address-mask.ts';
import { createLifetime } from '../../registry/lifetime.ts';
import type { PlacedRegistry } from '../deployment/placed-registry.ts';
import { roomOptionsOf } from '../room-options.ts';
import type { RoomsOfProcess } from './served-registry.ts';
import type { SharedParts } from './shared-parts.ts';

export interface ServiceRoot {
  readonly path: Path;
  readonly opsPath: Path;
  /** Answers that the registry is not available. */
  readonly away: Path;
  /** Whether the path of a request at the port is one of the process itself. */
  has(request: IncomingMessage, port: 'path' | 'opsPath'): boolean;
}

/** The registries below the root, as far as it tells of them. */
export interface RootedRegistries {
  /** How many game servers each open registry lists, by its name; undefined before its first list. */
  counts(): Promise<ReadonlyMap<string, number | undefined>>;
  readonly haveBeenTried: boolean;
  readableByAll(): readonly PlacedRegistry[];
  isBare(request: IncomingMessage): boolean;
}

export interface ServiceRootOptions {
  readonly shared: SharedParts;
  readonly registries: RootedRegistries;
  readonly ofProcess: RoomsOfProcess;
  readonly logError: ErrorLog;
}

export function createRoot({ shared, registries, ofProcess, logError }: ServiceRootOptions): ServiceRoot {
  const { config, port, opsPort, ring, logger, metrics } = shared;
  const common: Omit<WayOptions, 'routes'> = {
    options: roomOptionsOf(config).http,
    maskAddress: createAddressMask(config.logAddresses),
    lifetime: createLifetime(config.ttl * 1000),
    logger,
    logError,
    guard: new Guard({ ring, registry: undefined, publicRead: true }),
    onAnswered: metrics.requests.onAnswered,
  };
  const way = (to: Port, routes: Routes, otherwise: WayOptions['otherwise']): Path =>
    createPath(to, { ...common, routes, otherwise });
  const toNone = (request: IncomingMessage): Answer => {
    if (!registries.isBare(request)) throw new ServiceError('unknown_registry');
    const [path, query] = [pathOf(request.url!), request.url!.slice(pathOf(request.url!).length)];
    return redirectAnswer(`${path.slice(path.lastIndexOf('/') + 1)}/${query}`, { Vary: 'Accept' });
  };
  const own = [healthRoute(shared, registries), ...(config.registryIndex ? [indexRoute(registries)] : [])];
  const routes = new Routes([...own, ...routesOf(ofProcess.beside)]);
  const opsRoutes = new Routes(routesOf(ofProcess.atOps));
  return {
    path: way(port, routes, toNone),
    opsPath: way(opsPort ?? port, opsRoutes, toNone),
    away: way(port, new Routes([]), () => {
      throw new ServiceError('registry_unavailable');
    }),
    has: ({ url }, at) => (at === 'path' ? routes : opsRoutes).find(pathOf(url!)) !== undefined,
  };
}

/**
 * The health of the process. It fails once the process is to stop, before all registries have been opened, and while
 * none of them has a list: with one that has, the process is of use.
 */
function healthRoute({ stopping }: SharedParts, registries: RootedRegistries): Route {
  const endpoint: Endpoint = async () => {
    if (isToBeLeft(stopping)) throw new ServiceError('shutting_down');
    const counts = [...(await registries.counts()).values()];
    if (!registries.haveBeenTried || (counts.length > 0 && counts.every((count) => count === undefined)))
      throw new ServiceError('registry_unavailable');
    const count = counts.reduce((sum: number, each) => sum + (each ?? 0), 0);
    return jsonAnswer({ timestamp: new Date().toISOString(), server_count: count });
  };
  return { method: 'GET', path: '/health', access: 'open', cors: 'reading', input: 'nothing', endpoint };
}

/** The registries that everybody may read. */
function indexRoute(registries: RootedRegistries): Route {
  const endpoint: Endpoint = async () => jsonAnswer({ registries: await indexOf(registries) });
  return { method: 'GET', path: '/', access: 'open', cors: 'reading', input: 'nothing', endpoint };
}

async function indexOf(registries: RootedRegistries): Promise<object[]> {
  const counts = await registries.counts();
  return registries.readableByAll().map(({ name, path, hosts, config: { pageTitle } }) => ({
    name,
    title: pageTitle,
    ...(path !== undefined && { path: `${path}/` }),
    ...(hosts.length > 0 && { hosts }),
    server_count: counts.get(name) ?? 0,
  }));
}

function routesOf(rooms: readonly Room[]): readonly Route[] {
  return rooms.flatMap(({ routes }) => routes);
}
