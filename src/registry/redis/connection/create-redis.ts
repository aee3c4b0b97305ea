/**
 * A client for one Redis, at a fixed address or at the one that sentinels name. It disconnects from a Redis that turns
 * out to be no master. It does not reconnect by itself.
 */

import { Redis, type RedisOptions } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import { connectionOptions, tlsOptions } from './connection-options.ts';
import type { HostAndPort, SentinelAddress, StandaloneAddress } from './redis-address.ts';
import { tuneSockets } from './tune-sockets.ts';

/**
 * The errors of a Redis that is the master no longer, and how often to reconnect because of them: the address may lead
 * to another one by now. NOREPLICAS may also mean no more than that the master has lost its replicas: then a reconnect
 * only disturbs the readers.
 */
const LEAVING_INTERVAL_MS = new Map([
  ['READONLY', 1000],
  ['MASTERDOWN', 1000],
  ['NOREPLICAS', 10_000],
]);

/** Returns the successor of the master that a sentinel names as `host:port`, or null if it has none. */
export type SuccessorOf = (named: string) => HostAndPort | null;

/** Creates the client, which begins to connect at once. `successorOf` corrects the master that a sentinel names. */
export function createRedis(
  address: StandaloneAddress | SentinelAddress,
  deadlines: Deadlines,
  successorOf: SuccessorOf,
): Redis {
  let leftAt = -Infinity;
  const redis = new Redis({
    ...connectionOptions(address, deadlines),
    ...(address.kind === 'sentinel'
      ? sentinelOptions(address, deadlines, successorOf)
      : { host: address.host, port: address.port }),
    db: address.database,
    // Only the caller may repeat a command of unknown outcome: the client never queues one, and never sends it again.
    enableOfflineQueue: false,
    retryStrategy: null,
    reconnectOnError(error) {
      const intervalMs = LEAVING_INTERVAL_MS.get(error.message.split(' ', 1)[0]!);
      if (intervalMs === undefined || performance.now() < leftAt + intervalMs) return false;
      leftAt = performance.now();
      return true;
    },
  });
  tuneSockets(redis, deadlines);
  // ioredis would go on in database 0, which may hold the registry of another service.
  redis.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') redis.stream.destroy(error);
  });
  return redis;
}

/** The options with which the client finds the master. */
function sentinelOptions(
  address: SentinelAddress,
  { sentinelMs }: Deadlines,
  successorOf: SuccessorOf,
): RedisOptions {
  const { sentinels, masterName, sentinelUsername, sentinelPassword, tls } = address;
  return {
    sentinels: [...sentinels],
    name: masterName,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls !== undefined && { enableTLSForSentinelMode: true, sentinelTLS: tlsOptions(tls) }),
    sentinelCommandTimeout: sentinelMs,
    natMap: successorOf,
    // The first round through the sentinels begins where the one before ended; the second is whole, and the last.
    sentinelRetryStrategy: (round) => (round === 1 ? 0 : null),
    // It learns of failovers only when they are over, and also of those of other masters: see failovers.ts.
    failoverDetector: false,
  };
}
