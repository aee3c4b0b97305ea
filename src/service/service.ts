/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Alone knows both HTTP
 * and Redis.
 */

import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AnswersInFlight } from '../http/answers-in-flight.ts';
import { createApp } from '../http/app.ts';
import { createAuthenticator } from '../http/auth.ts';
import { createCors } from '../http/cors.ts';
import { createEndpoints } from '../http/endpoints.ts';
import { createFastLane } from '../http/fast-path.ts';
import type { Logger } from '../log/logger.ts';
import { createRoutes } from '../http/routes.ts';
import { createSend } from '../http/send.ts';
import { startHttpServer } from '../http/server.ts';
import type { Config } from '../config/config.ts';
import { createMetrics, type RegistryMetrics } from './metrics.ts';
import { openRegistry, type Closer } from './open-registry.ts';
import type { Processes } from '../registry/data-file/file-lock.ts';
import { createLifetime, type Lifetime } from '../registry/lifetime.ts';
import type { Registry } from '../registry/registry.ts';

export interface Service {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /**
   * Stops. For `delayMs` (0 unless told otherwise) it still serves everybody, but its health fails and every answer
   * closes its connection, so that load balancers take their leave. Then it drains and closes everything, within 7 s.
   * Called again it does not wait any longer. Never rejects.
   */
  close(options?: { readonly delayMs?: number }): Promise<void>;
}

/** What is still running after this is cut off; then there is Redis to take leave of. */
const DRAIN_LIMIT_MS = 6000;

/** Rejects with Node's error when the address cannot be listened on, and when the data file cannot be used; Redis may be absent. */
export async function startService(
  config: Config,
  logger: Logger,
  processes: Processes,
  droppedLogLines?: () => number,
): Promise<Service> {
  const closers: Closer[] = [];
  const stopping = new AbortController();
  let closed: Promise<void> | undefined;
  const close: Service['close'] = async ({ delayMs = 0 } = {}) => {
    stopping.abort();
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    await (closed ??= closeInReverse(closers));
  };
  try {
    const lifetime = createLifetime(config.ttl * 1000);
    const metrics = createMetrics(droppedLogLines);
    const registry = await openRegistry({
      config,
      lifetime,
      logger,
      counted: metrics.events,
      processes,
      closers,
    });
    const server = await startHttpServer({
      listener: createListener({ config, registry, lifetime, logger, metrics, stopping: stopping.signal }),
      host: config.host,
      port: config.port,
      stopping: stopping.signal,
    });
    closers.push(() => server.close(DRAIN_LIMIT_MS));
    return { url: server.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeInReverse(closers: readonly Closer[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}

export interface ListenerOptions {
  readonly config: Config;
  readonly registry: Registry;
  readonly lifetime: Lifetime;
  readonly logger: Logger;
  readonly metrics?: RegistryMetrics;
  /** Aborted once the replica is to stop. */
  readonly stopping?: AbortSignal;
}

/** What answers requests: the fast lane, and Koa behind it. */
export function createListener(options: ListenerOptions): RequestListener {
  const { config, registry, lifetime, logger, metrics = createMetrics(), stopping } = options;
  const endpoints = createEndpoints({
    registry,
    lifetime,
    metrics,
    stopping,
    maxStaleMs: config.maxStale * 1000,
    listMaxAgeMs: config.listMaxAge,
    isPrivate: config.authKeys.length > 0,
    now: Date.now,
  });
  const inFlight = new AnswersInFlight({
    maxWaitingBytes: config.maxWaiting,
    onWaiting: metrics.answers.onWaiting,
    onCutOff(cutOff) {
      metrics.answers.onCutOff(cutOff.reason);
      logger.debug(cutOff, 'a reader was cut off');
    },
  });
  const lanes = {
    routes: createRoutes(endpoints),
    isAuthentic: createAuthenticator(config.authKeys),
    cors: createCors(config.corsOrigin),
    maxBodyBytes: config.maxBody,
    longestRetryAfter: Math.floor(lifetime.pingIntervalMs / 1000),
    logger,
    send: createSend(inFlight),
  };
  const lane = createFastLane(lanes, createApp(lanes).callback());
  return (request, response) => {
    if (inFlight.admit(response)) lane(request, response);
  };
}
