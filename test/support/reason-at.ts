/** What people are told of a Redis that cannot be used, by its address. */

import { explain } from '../../src/service/redis-reasons.ts';
import { connectRedis } from '../../src/registry/redis/connection/connect.ts';
import type { RedisAddress, SentinelAddress } from '../../src/registry/redis/connection/redis-address.ts';

const host = '127.0.0.1';

export const redisAt = (port: number, more = {}): RedisAddress => ({
  kind: 'standalone',
  host,
  port,
  database: 0,
  ...more,
});
export const sentinelAt = (port: number, more: Partial<SentinelAddress> = {}): RedisAddress => ({
  kind: 'sentinel',
  sentinels: [{ host, port }],
  masterName: 'mymaster',
  database: 0,
  ...more,
});
export const clusterAt = (port: number, more = {}): RedisAddress => ({
  kind: 'cluster',
  nodes: [{ host, port }],
  database: 0,
  ...more,
});

/** Why a command to the Redis at this address fails, as the log says it. */
export async function reasonAt(address: RedisAddress): Promise<string> {
  const connection = connectRedis(address);
  try {
    await connection.firstAttempt;
    const error = await connection.client.eval("return redis.call('GET', KEYS[1])", 1, '{gsls}').then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return explain((await connection.whyDown()) ?? error);
  } finally {
    await connection.close();
  }
}
