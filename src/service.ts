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
import { DataFile } from './registry/data-file.ts';
import type { Processes } from './registry/file-lock.ts';
import { createLifetime, type Lifetime } from './registry/lifetime.ts';
import { MemoryRegistry } from './registry/memory-registry.ts';
import { connectRedis } from './registry/redis/connect.ts';
import { RedisRegistry } from './registry/redis/redis-registry.ts';
import type { Registry, RegistryEvents } from './registry/registry.ts';

export interface Service {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** Drains and closes everything. Never rejects; takes 10 s at the most. */
  close(): Promise<void>;
}

type Closer = () => Promise<void>;

/** What is still running after this is cut off; one second of the 10 is for Redis. */
const DRAIN_LIMIT_MS = 9000;

/** Rejects with Node's error when the address cannot be listened on, and when the data file cannot be used; Redis may be absent. */
export async function startService(config: Config, logger: Logger, processes: Processes): Promise<Service> {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    while (closers.length > 0) await closers.pop()!();
  };
  try {
    const lifetime = createLifetime(config.ttl * 1000);
    const registry = await openRegistry(config, lifetime, logger, processes, closers);
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
  processes: Processes,
  closers: Closer[],
): Promise<Registry> {
  const events: RegistryEvents = {
    onExpired: (ids) => logger.info({ count: ids.length, ids: ids.slice(0, 20) }, 'game servers expired'),
    onMassSilence: (silence) =>
      logger.error(
        silence,
        'most game servers fell silent together: holding their expiry; is the network between them and us in order?',
      ),
    onMassSilenceOver: () => logger.warn({}, 'the mass silence is over: game servers expire again'),
  };
  const { uniqueAddress } = config;
  const holdMassExpiry = !config.noMassExpiryHold;
  if (config.redis === undefined) {
    const journal = config.dataFile && (await openDataFile(config.dataFile, processes, logger, closers));
    const registry = new MemoryRegistry({
      lifetime,
      uniqueAddress,
      holdMassExpiry,
      events,
      ...(journal && { journal }),
    });
    closers.push(() => registry.close());
    const where = journal ? `and in ${config.dataFile}` : '--redis shares one between replicas';
    logger.info({}, `the registry is in the memory of this process; ${where}`);
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
    events: {
      ...events,
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

async function openDataFile(
  path: string,
  processes: Processes,
  logger: Logger,
  closers: Closer[],
): Promise<DataFile> {
  const dataFile = await DataFile.open(path, {
    processes,
    events: {
      onTornLine: () =>
        logger.warn(
          { path },
          'the data file ended in the middle of a line: dropped what was never acknowledged',
        ),
      onUnwritable: (error) =>
        logger.error(
          { path, reason: reasonOf(error) },
          'the data file cannot be written: what changes now is lost if this process ends before it can',
        ),
      onWritable: () => logger.warn({ path }, 'the data file holds everything again'),
    },
  });
  closers.push(() => dataFile.close());
  return dataFile;
}

/** The first line of what went wrong underneath. */
function reasonOf(error: unknown): string {
  const root = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { message, code } = root as NodeJS.ErrnoException;
  return message?.split('\n')[0] || (code ?? String(root));
}
