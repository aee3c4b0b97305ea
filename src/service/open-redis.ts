/** The one connection of a process to Redis, and what it tells the log and the metrics. */

import type { Deadlines } from '../runtime/deadlines.ts';
import type { Logger } from '../runtime/log/logger.ts';
import { describeAddress, type RedisAddress } from '../registry/redis/connection/redis-address.ts';
import type { RedisConnection, RedisEvents } from '../registry/redis/connection/connect.ts';
import type { ConnectionMetrics } from './metrics/redis-metrics.ts';
import { explain } from './redis-reasons.ts';
import { tellBoth } from './tell-both.ts';

export interface RedisLink {
  readonly connection: RedisConnection;
  /** The address of Redis in words. */
  readonly redis: string;
}

export interface OpenRedisOptions {
  readonly address: RedisAddress;
  readonly logger: Logger;
  readonly metrics: { readonly redisConnection: ConnectionMetrics | undefined };
  readonly deadlines: Deadlines;
}

/** Loads the client of Redis, and begins to connect. Redis may be absent. */
export async function openRedis({
  address,
  logger,
  metrics,
  deadlines,
}: OpenRedisOptions): Promise<RedisLink> {
  const redis = describeAddress(address);
  const { connectRedis } = await import('../registry/redis/connection/connect.ts');
  const log: Partial<RedisEvents> = {
    onUp: () => logger.debug({ redis }, 'connected to Redis'),
    onDown: (error) => logger.debug({ redis, reason: explain(error) }, 'not connected to Redis'),
    onRisk: (risk, where) => logger.warn({ redis: where }, risk),
  };
  return {
    redis,
    connection: connectRedis(address, tellBoth(log, metrics.redisConnection ?? {}), deadlines),
  };
}
