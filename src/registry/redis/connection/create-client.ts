/** The client of ioredis for an address, of whichever kind. */

import { Cluster, type Redis } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import { connectionOptions } from './connection-options.ts';
import { createRedis, type SuccessorOf } from './create-redis.ts';
import type { ClusterAddress, RedisAddress } from './redis-address.ts';
import { tuneSockets } from './tune-sockets.ts';

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

/** Between two looks at which node has which slots. */
const SLOTS_INTERVAL_MS = 2000;
const REDIRECTION_DELAY_MS = 100;
/**
 * Few: they are part of the time that one command has, whose end nobody repeats. What goes on for longer is repeated as
 * any other failure that passes (scripts/retry.ts).
 */
const MOST_REDIRECTIONS = 2;
/** A node that owes an answer for so long may be the master no longer. */
const SUSPICIOUS_SILENCE_MS = 250;

/** A client for a Redis Cluster. Does not connect again by itself. */
function createCluster(address: ClusterAddress, deadlines: Deadlines): Cluster {
  const cluster = new Cluster([...address.nodes], {
    redisOptions: connectionOptions(address, deadlines),
    enableOfflineQueue: false,
    // It would hand MOVED and ASK to the callers of all commands in the pipeline.
    enableAutoPipelining: false,
    // A replica may lag behind: a list has to show what was acknowledged before.
    scaleReads: 'master',
    slotsRefreshTimeout: deadlines.slotsMs,
    // A command that a node refused to run is repeated; one that a lost connection may have run is the caller's to
    // repeat.
    maxRedirections: MOST_REDIRECTIONS,
    retryDelayOnMoved: REDIRECTION_DELAY_MS,
    retryDelayOnTryAgain: REDIRECTION_DELAY_MS,
    retryDelayOnClusterDown: REDIRECTION_DELAY_MS,
    retryDelayOnFailover: 0,
    clusterRetryStrategy: null,
    // Each connection resolves names itself: one name that does not resolve leaves the others alone, and certificates
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
 * Keeps up with which node has which slots: asks for them regularly while the Cluster is ready. ioredis' own timer
 * would go on asking the nodes it knew last, whatever became of them, even after the end. When no node answers, the
 * client begins anew with the nodes of its address. Returns a function that asks at once.
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
