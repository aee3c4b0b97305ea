/**
 * What each endpoint does: it validates the fields, asks the registry and makes an Answer. Bodies are those of the
 * specification to the byte; all further information goes into headers. Knows neither Koa nor sockets.
 */

import { ServiceError } from '../errors.ts';
import {
  createGameServerId,
  deriveGameServerId,
  type GameServer,
  type GameServerId,
} from '../registry/game-server.ts';
import type { Lifetime } from '../registry/lifetime.ts';
import type { Registry } from '../registry/registry.ts';
import { jsonAnswer, textAnswer } from './answer.ts';
import type { Endpoint } from './endpoint.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { createList, type ListOptions } from './list.ts';
import { isVisible } from './text-rules.ts';
import { parseBroadcast, parsePing, parseRemove } from './validation.ts';

/** Renders the metrics as text. */
export interface MetricsSource {
  /** Of the text, with its charset. */
  readonly contentType: string;
  readonly render: (registry: Pick<Registry, 'list'>) => Promise<string>;
}

export interface EndpointsOptions extends ListOptions {
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  readonly metrics: MetricsSource;
  /** Aborted when this replica begins to shut down. */
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

  /** A host or name that is listed already stays valid, although newer rules would refuse it. */
  async function isListedWith(id: GameServerId, { host, name }: GameServer): Promise<boolean> {
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
      if (objection !== undefined && !(await isListedWith(id, gameServer))) throw objection;
      requireSuccess(await registry.ping(id, gameServer));
      return pinged;
    },

    async remove({ fields }) {
      const { id, ip } = parseRemove(fields);
      requireSuccess(await registry.remove(id, ip));
      return jsonAnswer(SUCCESS);
    },

    list: createList(options),

    /**
     * Fails only before the first list is loaded and after shutdown began. It succeeds while Redis is unavailable:
     * otherwise a load balancer would drop every replica.
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

/** Throws the ServiceError of an outcome that is no success. */
function requireSuccess(outcome: 'unknown' | 'ip_mismatch' | 'refreshed' | 'removed'): void {
  if (outcome === 'unknown') throw new ServiceError('unknown_server');
  if (outcome === 'ip_mismatch') throw new ServiceError('ip_mismatch');
}
