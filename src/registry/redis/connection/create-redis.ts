/**
 * A client for one Redis, at a fixed address or at the one that sentinels name. It leaves a Redis that turns out to be
 * no master. Does not connect again by itself.
 */

import { Redis, type RedisOptions } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import { connectionOptions, tlsOptions } from './connection-options.ts';
import type { HostAndPort, SentinelAddress, StandaloneAddress } from './redis-address.ts';
import { tuneSockets } from './tune-sockets.ts';

/**
 * Errors of a Redis that is the master no longer, so that the address may lead to another one by now, and how often
 * to connect anew because of them. NOREPLICAS may as well mean that it has lost its replicas and nothing else: then
 * connecting anew only disturbs the readers.
 */
const LEAVING_INTERVAL_MS = new Map([
  ['READONLY', 1000],
  ['MASTERDOWN', 1000],
  ['NOREPLICAS', 10_000],
]);

/** `named`: `host:port`. Null: itself. */
export type SuccessorOf = (named: string) => HostAndPort | null;

/** `successorOf`: of a master that sentinels name. */
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
    // A command of unknown outcome is the caller's to repeat: never queue, never resend without its knowledge.
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

/** How the master is found. */
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
    // It hears of failovers when they are over, and of those of other masters: see failovers.ts.
    failoverDetector: false,
  };
}
