/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Alone knows both HTTP
 * and Redis.
 */

import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from './http/app.ts';
import { createAuthenticator } from './http/auth.ts';
import { createCors } from './http/cors.ts';
import { createEndpoints } from './http/endpoints.ts';
import { createFastLane } from './http/fast-lane.ts';
import type { Logger } from './http/logger.ts';
import { createRoutes } from './http/routes.ts';
import { startHttpServer } from './http/server.ts';
import type { Config } from './config.ts';
import { createMetrics, type RegistryMetrics } from './metrics.ts';
import { createLifetime, type Lifetime } from './registry/lifetime.ts';
import { MemoryRegistry } from './registry/memory-registry.ts';
import { connectRedis } from './registry/redis/connect.ts';
import { RedisRegistry, type RedisRegistryEvents } from './registry/redis/redis-registry.ts';
import type { Registry, RegistryEvents } from './registry/registry.ts';

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

type Closer = () => Promise<void>;

/** What is still running after this is cut off; then there is Redis to take leave of. */
const DRAIN_LIMIT_MS = 6000;

/** Rejects with Node's error when the address cannot be listened on; Redis may be absent. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
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
    const metrics = createMetrics();
    const registry = await openRegistry(config, lifetime, logger, metrics.events, closers);
    const server = await startHttpServer({
      listener: createListener({ config, registry, lifetime, logger, metrics, stopping: stopping.signal }),
      host: config.host,
      port: config.port,
      maxBodyBytes: config.maxBody,
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
  const lanes = {
    routes: createRoutes(endpoints),
    isAuthentic: createAuthenticator(config.authKeys),
    cors: createCors(config.corsOrigin),
    maxBodyBytes: config.maxBody,
    logger,
  };
  return createFastLane(lanes, createApp(lanes).callback());
}

async function openRegistry(
  config: Config,
  lifetime: Lifetime,
  logger: Logger,
  counted: RedisRegistryEvents,
  closers: Closer[],
): Promise<Registry> {
  const events: RegistryEvents = {
    onExpired: both(counted.onExpired, (ids) =>
      logger.info({ count: ids.length, ids: ids.slice(0, 20) }, 'game servers expired'),
    ),
    onMassSilence: both(counted.onMassSilence, (silence) =>
      logger.error(
        silence,
        'most game servers fell silent together: holding their expiry; is the network between them and us in order?',
      ),
    ),
    onMassSilenceOver: both(counted.onMassSilenceOver, () =>
      logger.warn({}, 'the mass silence is over: game servers expire again'),
    ),
  };
  const { uniqueAddress } = config;
  const holdMassExpiry = !config.noMassExpiryHold;
  if (config.redis === undefined) {
    const registry = new MemoryRegistry({ lifetime, uniqueAddress, holdMassExpiry, events });
    closers.push(() => registry.close());
    logger.info({}, 'the registry is in the memory of this process; --redis shares one between replicas');
    return registry;
  }

  const redis = `${config.redis.host}:${config.redis.port}`;
  const connection = connectRedis(config.redis, {
    onUp: () => logger.info({ redis }, 'Redis is up'),
    onDown: (error) =>
      logger.warn(
        { redis, reason: reasonOf(error) },
        'Redis is down: lists are stale, writes are refused, until it is back',
      ),
  });
  closers.push(() => connection.close());
  const registry = new RedisRegistry({
    client: connection.client,
    registryName: config.registry,
    lifetime,
    uniqueAddress,
    holdMassExpiry,
    writeBack: !config.noWriteBack,
    events: {
      ...events,
      onReload: both(counted.onReload, (reason) =>
        logger.warn({ reason }, 'Redis has another history than this replica: loading the list anew'),
      ),
      onRestored: both(counted.onRestored, (count) =>
        logger.warn(
          { count },
          'Redis had lost game servers: listed them again from the copy of this replica',
        ),
      ),
      onOutOfTouch: both(counted.onOutOfTouch, (error) =>
        logger.warn(
          { reason: reasonOf(error) },
          'Redis does not answer: serving the last list, refusing writes until it does',
        ),
      ),
      onInTouch: both(counted.onInTouch, () => logger.info({}, 'Redis answers again: the list is current')),
    },
  });
  closers.push(() => registry.close());
  await connection.firstAttempt;
  await registry.list().catch(() => undefined);
  return registry;
}

/** One event for two who want to know. */
function both<Args extends readonly unknown[]>(
  first: (...args: Args) => void,
  second: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    first(...args);
    second(...args);
  };
}

/** The first line of what went wrong underneath. */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { message, code } = root as NodeJS.ErrnoException;
  return message?.split('\n')[0] || (code ?? String(root));
}
