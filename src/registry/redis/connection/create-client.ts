/** The client of ioredis for an address, of whichever kind. */

import type { Cluster, Redis } from 'ioredis';
import type { Deadlines } from '../../../deadlines.ts';
import { createCluster } from './create-cluster.ts';
import { createRedis, type SuccessorOf } from './create-redis.ts';
import type { RedisAddress } from './redis-address.ts';

export type RedisClient = Redis | Cluster;

/**
 * Begins to connect at once. The event `end` tells that the client is not, or no longer, connected: it does not connect
 * again by itself, connect.ts sees to that. `successorOf`: of a master that sentinels name.
 */
export function createClient(
  address: RedisAddress,
  deadlines: Deadlines,
  successorOf: SuccessorOf,
): RedisClient {
  return address.kind === 'cluster'
    ? createCluster(address, deadlines)
    : createRedis(address, deadlines, successorOf);
}
