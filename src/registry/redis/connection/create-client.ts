/** The client of ioredis for an address, of whichever kind. */

import type { Cluster, Redis } from 'ioredis';
import type { Deadlines } from '../../../deadlines.ts';
import { createCluster } from './create-cluster.ts';
import { createRedis } from './create-redis.ts';
import type { RedisAddress } from './redis-address.ts';

export type RedisClient = Redis | Cluster;

/**
 * Begins to connect at once. The event `end` tells that the client is not, or no longer, connected: it does not connect
 * again by itself, connect.ts sees to that.
 */
export function createClient(address: RedisAddress, deadlines: Deadlines): RedisClient {
  return address.kind === 'cluster' ? createCluster(address, deadlines) : createRedis(address, deadlines);
}
