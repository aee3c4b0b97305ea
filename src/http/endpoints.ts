/**
 * What each endpoint does: fields in, the registry asked, an Answer out. Bodies are those of the specification
 * to the byte; whatever more there is to tell goes into headers. Knows neither Koa nor sockets.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';
import {
  createGameServerId,
  deriveGameServerId,
  type GameServer,
  type GameServerId,
} from '../registry/game-server.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { Registry } from '../registry/registry.ts';
import { jsonAnswer, textAnswer, type Answer } from './answer.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { createList, type ListOptions } from './list.ts';
import { isVisible } from './text-rules.ts';
import { parseBroadcast, parsePing, parseRemove } from './validation.ts';

export interface EndpointRequest {
  readonly headers: IncomingHttpHeaders;
  /** The body or the query, parsed but not yet checked; undefined where an endpoint takes none. */
  readonly fields: unknown;
}

export type Endpoint = (request: EndpointRequest) => Promise<Answer>;

/** What the metrics come from, as text in a format of its own. */
export interface MetricsSource {
  readonly contentType: string;
  readonly render: (registry: Pick<Registry, 'list'>) => Promise<string>;
}

export interface EndpointsOptions extends ListOptions {
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  readonly metrics: MetricsSource;
  /** Aborted once this replica is to stop. */
  readonly stopping?: AbortSignal | undefined;
}

export type Endpoints = Readonly<
  Record<'broadcast' | 'ping' | 'remove' | 'list' | 'health' | 'metrics', Endpoint>
>;

const SUCCESS = { status: 'success' };

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { registry, lifetime, metrics, stopping, now } = options;
  const lifetimeHeaders = {
    'Server-TTL': String(Math.floor(lifetime.ttlMs / 1000)),
    'Server-Ping-Interval': String(Math.floor(lifetime.pingIntervalMs / 1000)),
  };

  const pinged = jsonAnswer(SUCCESS, lifetimeHeaders);

  /** What a game server is listed with stays good when the rules have become stricter since. */
  async function isListedSo(id: GameServerId, { host, name }: GameServer): Promise<boolean> {
    const { snapshot, staleSince } = await registry.list();
    const listed = snapshot.find(id);
    if (listed === undefined && staleSince !== undefined) throw new ServiceError('registry_unavailable');
    return (
      listed !== undefined &&
      (host === listed.host || isVisible(host)) &&
      (name === listed.name || isVisible(name))
    );
  }

  return {
    async broadcast({ headers, fields }) {
      const gameServer = parseBroadcast(fields);
      const key = parseIdempotencyKey(headers);
      const id = key === undefined ? createGameServerId() : deriveGameServerId(key, gameServer);
      if ((await registry.broadcast(id, gameServer)) === 'unlisted')
        throw new ServiceError('idempotency_key_used');
      return jsonAnswer({ ...SUCCESS, server_id: id }, lifetimeHeaders);
    },

    async ping({ fields }) {
      const { id, gameServer, objection } = parsePing(fields);
      if (objection !== undefined && !(await isListedSo(id, gameServer))) throw objection;
      refuse(await registry.ping(id, gameServer));
      return pinged;
    },

    async remove({ fields }) {
      const { id, ip } = parseRemove(fields);
      refuse(await registry.remove(id, ip));
      return jsonAnswer(SUCCESS);
    },

    list: createList(options),

    /**
     * Fails only before the first list was loaded and when the replica is to stop: a load balancer must not drop every
     * replica because Redis is away.
     */
    async health() {
      if (stopping?.aborted) throw new ServiceError('shutting_down');
      const { snapshot } = await registry.list();
      return jsonAnswer({ timestamp: new Date(now()).toISOString(), server_count: snapshot.count });
    },

    async metrics() {
      return textAnswer(await metrics.render(registry), metrics.contentType);
    },
  };
}

function refuse(outcome: 'unknown' | 'ip_mismatch' | 'refreshed' | 'removed'): void {
  if (outcome === 'unknown') throw new ServiceError('unknown_server');
  if (outcome === 'ip_mismatch') throw new ServiceError('ip_mismatch');
}
