/**
 * What each endpoint does: fields in, the registry asked, an Answer out. Bodies are those of the specification
 * to the byte; whatever more there is to tell goes into headers. Knows neither Koa nor sockets.
 */

import { ServiceError } from '../errors.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { Registry } from '../registry/registry.ts';
import { jsonAnswer, type Answer } from './answer.ts';
import { parseBroadcast, parsePing, parseRemove } from './validation.ts';

/** `fields`: the body or the query, as parsed but not yet checked; undefined where an endpoint takes none. */
export type Endpoint = (fields: unknown) => Promise<Answer>;

export interface EndpointsOptions {
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  /** The oldest list that is still better than none, in ms. */
  readonly maxStaleMs: number;
  /** For the timestamp of health. */
  readonly now: () => number;
}

export type Endpoints = Readonly<Record<'broadcast' | 'ping' | 'remove' | 'list' | 'health', Endpoint>>;

const SUCCESS = { status: 'success' };

export function createEndpoints({ registry, lifetime, maxStaleMs, now }: EndpointsOptions): Endpoints {
  const lifetimeHeaders = {
    'Server-TTL': String(Math.floor(lifetime.ttlMs / 1000)),
    'Server-Ping-Interval': String(Math.floor(lifetime.pingIntervalMs / 1000)),
  };

  return {
    async broadcast(fields) {
      const id = await registry.broadcast(parseBroadcast(fields));
      return jsonAnswer({ ...SUCCESS, server_id: id }, lifetimeHeaders);
    },

    async ping(fields) {
      const { id, gameServer } = parsePing(fields);
      refuse(await registry.ping(id, gameServer));
      return jsonAnswer(SUCCESS, lifetimeHeaders);
    },

    async remove(fields) {
      const { id, ip } = parseRemove(fields);
      refuse(await registry.remove(id, ip));
      return jsonAnswer(SUCCESS);
    },

    async list() {
      const { snapshot, staleMs } = await registry.list();
      if (staleMs > maxStaleMs) throw new ServiceError('registry_unavailable');
      return jsonAnswer(snapshot.json, {
        'Cache-Control': 'no-cache',
        ...(staleMs > 0 && { Warning: '110 - "Response is Stale"', Age: String(Math.ceil(staleMs / 1000)) }),
      });
    },

    /** Fails only before the first list was loaded: a load balancer must not drop every replica because Redis is away. */
    async health() {
      const { snapshot } = await registry.list();
      return jsonAnswer({ timestamp: new Date(now()).toISOString(), server_count: snapshot.count });
    },
  };
}

function refuse(outcome: 'unknown' | 'ip_mismatch' | 'refreshed' | 'removed'): void {
  if (outcome === 'unknown') throw new ServiceError('unknown_server');
  if (outcome === 'ip_mismatch') throw new ServiceError('ip_mismatch');
}
