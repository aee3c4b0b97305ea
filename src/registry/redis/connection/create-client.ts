/** Creates the client of ioredis for an address of any kind. */

import { Cluster, type Redis } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import { connectionOptions } from './connection-options.ts';
import { createRedis, type SuccessorOf } from './create-redis.ts';
import type { ClusterAddress, RedisAddress } from './redis-address.ts';
import { tuneSockets } from './tune-sockets.ts';

export type RedisClient = Redis | Cluster;

/**
 * Creates a client, which begins to connect at once. It emits `end` when it is not, or no longer, connected. It does
 * not reconnect by itself: connect.ts does. `successorOf` corrects the master that a sentinel names.
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

/** How often a Cluster is asked which node has which slots. */
const SLOTS_INTERVAL_MS = 2000;
const REDIRECTION_DELAY_MS = 100;
/**
 * How many redirections one command follows: few, because they use up the time that it has. A redirection that goes on
 * for longer is a failure, and repeated like any other that passes (scripts/retry.ts).
 */
const MOST_REDIRECTIONS = 2;
/** A node that owes an answer for this long may be the master no longer. */
const SUSPICIOUS_SILENCE_MS = 250;

/** Creates a client for a Redis Cluster, which does not reconnect by itself. */
function createCluster(address: ClusterAddress, deadlines: Deadlines): Cluster {
  const cluster = new Cluster([...address.nodes], {
    redisOptions: connectionOptions(address, deadlines),
    enableOfflineQueue: false,
    // A pipeline would hand MOVED and ASK to the callers of all its commands.
    enableAutoPipelining: false,
    // A replica of Redis may lag behind: a list has to show all that was acknowledged before.
    scaleReads: 'master',
    slotsRefreshTimeout: deadlines.slotsMs,
    // The client repeats a command that a node refused to run; one that may have run on a lost connection is up to its
    // caller.
    maxRedirections: MOST_REDIRECTIONS,
    retryDelayOnMoved: REDIRECTION_DELAY_MS,
    retryDelayOnTryAgain: REDIRECTION_DELAY_MS,
    retryDelayOnClusterDown: REDIRECTION_DELAY_MS,
    retryDelayOnFailover: 0,
    clusterRetryStrategy: null,
    // Each connection resolves its name itself: a name that does not resolve then harms no other, and certificates
    // match.
    dnsLookup: (host, resolved) => resolved(null, host),
  });
  const refreshSlots = followSlots(cluster);
  cluster.on('+node', (node: Redis) => {
    tuneSockets(node, deadlines, [{ silenceMs: SUSPICIOUS_SILENCE_MS, onSilence: refreshSlots }]);
  });
  return cluster;
}

/**
 * Follows which node has which slots: asks for them regularly while the Cluster is ready. ioredis' own timer would go
 * on asking the nodes it knew last, whatever became of them, even after `end`. If no node answers, the client begins
 * anew with the nodes of its address. Returns a function that asks at once.
 */
function followSlots(cluster: Cluster): () => void {
  let timer: NodeJS.Timeout | undefined;
  const refresh = (): void => {
    cluster.refreshSlotsCache((error) => {
      if (error && cluster.status === 'ready') cluster.disconnect(true);
    });
  };
  cluster.on('ready', () => {
    clearInterval(timer);
    timer = setInterval(refresh, SLOTS_INTERVAL_MS);
  });
  for (const event of ['disconnecting', 'close']) cluster.on(event, () => clearInterval(timer));
  return refresh;
}
