/**
 * The options of ioredis for every connection to Redis and to sentinels. Its defaults let commands wait for ever on a
 * hung Redis.
 */

import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { RedisOptions } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import type { RedisAddress, RedisTls, SentinelAddress } from './redis-address.ts';

/** How long a peer may take to close its side before the socket is destroyed. */
export const DISCONNECT_TIMEOUT_MS = 100;
const KEEP_ALIVE_MS = 30_000;
/** How often to check whether Redis has loaded its data. */
const LOADING_INTERVAL_MS = 200;

const COMMON_OPTIONS = {
  connectionName: 'gsls',
  disconnectTimeout: DISCONNECT_TIMEOUT_MS,
  keepAlive: KEEP_ALIVE_MS,
} as const satisfies RedisOptions;

/** The options of a connection to a Redis, whether alone, behind sentinels or in a Cluster. */
export function connectionOptions(
  { username, password, tls, ...where }: RedisAddress,
  { connectMs, commandMs }: Deadlines,
): RedisOptions {
  const host = where.kind === 'standalone' ? where.host : undefined;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: tlsOptions(tls, host) }),
    ...COMMON_OPTIONS,
    connectTimeout: connectMs,
    commandTimeout: commandMs,
    maxLoadingRetryTime: LOADING_INTERVAL_MS,
  };
}

/** The options of a connection to a sentinel itself, to listen to it or to ask it. */
export function sentinelConnectionOptions(address: SentinelAddress, { connectMs }: Deadlines): RedisOptions {
  const { sentinelUsername: username, sentinelPassword: password, tls } = address;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: tlsOptions(tls) }),
    ...COMMON_OPTIONS,
    connectTimeout: connectMs,
  };
}

/** Node checks the certificate against `servername`, or the host without one. An IP cannot be a server name. */
export function tlsOptions({ ca, serverName }: RedisTls, host?: string): ConnectionOptions {
  const servername = serverName ?? (host !== undefined && isIP(host) === 0 ? host : undefined);
  return { ...(ca !== undefined && { ca }), ...(servername !== undefined && { servername }) };
}
