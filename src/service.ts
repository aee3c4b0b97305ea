/**
 * The composition root: opens what a replica needs, in order, and closes it in reverse. Alone knows both HTTP
 * and Redis.
 */

import type { RequestListener } from 'node:http';
import { createApp } from './http/app.ts';
import { createAuthenticator } from './http/auth.ts';
import { createCors } from './http/cors.ts';
import { createEndpoints } from './http/endpoints.ts';
import { createFastLane } from './http/fast-lane.ts';
import type { Logger } from './http/logger.ts';
import { createRoutes } from './http/routes.ts';
import { startHttpServer } from './http/server.ts';
import type { Config } from './config.ts';
import type { GameServerId } from './registry/game-server.ts';
import { createLifetime, type Lifetime } from './registry/lifetime.ts';
import { MemoryRegistry } from './registry/memory-registry.ts';
import { connectRedis } from './registry/redis/connect.ts';
import { describeAddress } from './registry/redis/redis-address.ts';
import { RedisRegistry } from './registry/redis/redis-registry.ts';
import type { Registry } from './registry/registry.ts';

export interface Service {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** Drains and closes everything. Never rejects; takes 10 s at the most. */
  close(): Promise<void>;
}

type Closer = () => Promise<void>;

/** What is still running after this is cut off; one second of the 10 is for Redis. */
const DRAIN_LIMIT_MS = 9000;

/** Rejects with Node's error when the address cannot be listened on; Redis may be absent. */
export async function startService(config: Config, logger: Logger): Promise<Service> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    while (closers.length > 0) await closers.pop()!();
  };
  try {
    const lifetime = createLifetime(config.ttl * 1000);
    const registry = await openRegistry(config, lifetime, logger, closers);
    const server = await startHttpServer({
      listener: createListener(config, registry, lifetime, logger),
      host: config.host,
      port: config.port,
      maxBodyBytes: config.maxBody,
    });
    closers.push(() => server.close(DRAIN_LIMIT_MS));
    return { url: server.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What answers requests: the fast lane, and Koa behind it. */
export function createListener(
  config: Config,
  registry: Registry,
  lifetime: Lifetime,
  logger: Logger,
): RequestListener {
  const endpoints = createEndpoints({
    registry,
    lifetime,
    maxStaleMs: config.maxStale * 1000,
    listMaxAgeMs: config.listMaxAge,
    isPrivate: config.authKeys.length > 0,
    now: Date.now,
  });
  const options = {
    routes: createRoutes(endpoints),
    isAuthentic: createAuthenticator(config.authKeys),
    cors: createCors(config.corsOrigin),
    maxBodyBytes: config.maxBody,
    logger,
  };
  return createFastLane(options, createApp(options).callback());
}

async function openRegistry(
  config: Config,
  lifetime: Lifetime,
  logger: Logger,
  closers: Closer[],
): Promise<Registry> {
  const onExpired = (ids: readonly GameServerId[]): void => {
    logger.info({ count: ids.length, ids: ids.slice(0, 20) }, 'game servers expired');
  };
  const { uniqueAddress } = config;
  if (config.redisAddress === undefined) {
    const registry = new MemoryRegistry({ lifetime, uniqueAddress, onExpired });
    closers.push(() => registry.close());
    logger.info({}, 'the registry is in the memory of this process; --redis shares one between replicas');
    return registry;
  }

  const redis = describeAddress(config.redisAddress);
  const connection = connectRedis(config.redisAddress, {
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
    events: {
      onExpired,
      onReload: (reason) =>
        logger.warn({ reason }, 'Redis has another history than this replica: loading the list anew'),
      onOutOfTouch: (error) =>
        logger.warn({ reason: reasonOf(error) }, 'the list cannot be confirmed: serving the last one'),
      onInTouch: () => logger.info({}, 'the list is current again'),
    },
  });
  closers.push(() => registry.close());
  await connection.firstAttempt;
  await registry.list().catch(() => undefined);
  return registry;
}

/** The first line of what went wrong underneath. */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { message, code } = root as NodeJS.ErrnoException;
  return message?.split('\n')[0] || (code ?? String(root));
}
