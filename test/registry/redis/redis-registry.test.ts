/** The contract on everything that speaks Redis: the mock, a real server, a real Cluster. */

import type { RedisClient } from '../../../src/registry/redis/connection/create-client.ts';
import { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { describeRegistry, lifetime, type OpenRegistry } from '../../support/describe-registry.ts';
import { createRedisMock } from '../../support/redis-mock.ts';
import { startRedisCluster, type RedisCluster } from '../../support/redis-cluster.ts';
import { hasRedisServer, useRedis } from '../../support/redis-server.ts';

function opener(client: () => RedisClient): OpenRegistry {
  return async ({ clock, uniqueAddress, holdMassExpiry, events }) => {
    await client().flushall();
    const registry = new RedisRegistry({
      client: client(),
      registryName: 'test',
      lifetime,
      uniqueAddress,
      holdMassExpiry,
      events,
      clock,
      clockRulesRedis: true,
      lossNoticeMs: 0,
    });
    // As the service does at its start.
    await registry.list();
    return registry;
  };
}

describe('RedisRegistry', () => {
  const mock = createRedisMock();
  describeRegistry(
    'ioredis-mock',
    opener(() => mock),
  );

  if (!hasRedisServer()) return;

  describe('on a real server', () => {
    const redis = useRedis();
    describeRegistry(
      'Redis',
      opener(() => redis.client),
    );
  });

  describe('on a real Cluster', () => {
    let cluster: RedisCluster;
    before(async function () {
      this.timeout(20_000);
      cluster = await startRedisCluster();
    });
    after(() => cluster.stop());
    describeRegistry(
      'a Redis Cluster',
      opener(() => cluster.client),
    );
  });
});
