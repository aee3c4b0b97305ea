/** A store of one Redis, as in docker-compose.yml. */

import { Redis } from 'ioredis';
import { has } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import type { Store } from './setup.ts';

export interface SingleRedis extends Store {
  readonly server: RedisServer;
  readonly client: Redis;
}

/** With the arguments of redis-server; without any, nothing outlives a restart. */
export async function startSingleRedis(args: readonly string[] = []): Promise<SingleRedis> {
  if (!has('redis-server')) throw new Error('faults are tested with redis-server');
  const server = await startRedisServer({ args });
  const client = new Redis({ port: server.port, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  return {
    server,
    client,
    environment: { GSLS_REDIS: server.url },
    async stop() {
      client.disconnect();
      await server.stop();
    },
  };
}

/** Those of docker-compose.yml. */
export const APPEND_ONLY = ['--appendonly', 'yes', '--appendfsync', 'everysec'];
