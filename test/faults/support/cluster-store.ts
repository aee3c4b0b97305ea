/** A store of a Redis Cluster. */

import type { RedisCluster } from '../../support/redis-cluster.ts';
import type { Store } from './setup.ts';

export function storeIn(redis: RedisCluster): Store {
  return {
    client: redis.client,
    environment: {
      GSLS_REDIS_CLUSTER: redis.addresses.map(({ host, port }) => `${host}:${port}`).join(','),
    },
    stop: () => redis.stop(),
  };
}
