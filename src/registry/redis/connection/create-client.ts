/**
 * The clients of ioredis with the settings a server needs: its own let commands wait for ever on a hung Redis, or run
 * twice. None of them connects again by itself; connect.ts sees to that.
 */

import { isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type {
  ClusterAddress,
  RedisAddress,
  RedisTls,
  SentinelAddress,
  StandaloneAddress,
} from './redis-address.ts';
import type { RedisClient } from '../scripts.ts';

/** A command in time, or an error: well within the 2 s after which an HTTP answer is too late. */
const COMMAND_TIMEOUT_MS = 800;
const CONNECT_TIMEOUT_MS = 1000;
/** A peer that owes an answer for so long is hung: only this gets rid of it. */
const LONGEST_SILENCE_MS = 2000;
const SILENT = `Redis has not answered for ${LONGEST_SILENCE_MS / 1000} s`;
/** How long a peer may take to close its side before the socket is destroyed. */
export const DISCONNECT_TIMEOUT_MS = 100;
const KEEP_ALIVE_MS = 30_000;

/** A sentinel that does not answer is not asked for longer: there are others. */
const SENTINEL_TIMEOUT_MS = 1000;
/**
 * Errors of a Redis that is the master no longer, so that the address may lead to another one by now, and how often
 * to look. It may as well have lost its replicas and nothing else: then leaving it only disturbs those who read.
 */
const LEAVING_INTERVAL_MS = new Map([
  ['READONLY', 1000],
  ['MASTERDOWN', 1000],
  ['NOREPLICAS', 10_000],
]);
/** While Redis loads its data: how often to look whether it is done. */
const LOADING_INTERVAL_MS = 200;

const SLOTS_TIMEOUT_MS = 600;
const SLOTS_INTERVAL_MS = 2000;
/** A node that owes an answer for so long may be the master no longer. */
const SUSPICIOUS_SILENCE_MS = 250;
const REDIRECTION_DELAY_MS = 100;
/** About a second of them. */
const MOST_REDIRECTIONS = 10;

/** Begins to connect at once. Its `end` event tells that it is not, or no longer, connected. */
export function createClient(address: RedisAddress): RedisClient {
  return address.kind === 'cluster' ? createCluster(address) : createRedis(address);
}

function createRedis(address: StandaloneAddress | SentinelAddress): Redis {
  let leftAt = -Infinity;
  const redis = new Redis({
    ...connectionOptions(address),
    ...(address.kind === 'sentinel' ? sentinelOptions(address) : { host: address.host, port: address.port }),
    db: address.database,
    // A command of unknown outcome is the caller's to repeat: never queue, never resend behind its back.
    enableOfflineQueue: false,
    retryStrategy: null,
    reconnectOnError(error) {
      const intervalMs = LEAVING_INTERVAL_MS.get(error.message.split(' ', 1)[0]!);
      if (intervalMs === undefined || performance.now() < leftAt + intervalMs) return false;
      leftAt = performance.now();
      return true;
    },
  });
  redis.on('connect', () => tune(redis.stream));
  outliveErrors(redis);
  // ioredis would go on in database 0, in which others may have their registry.
  redis.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') redis.stream.destroy(error);
  });
  return redis;
}

/** Who leads to the master. */
function sentinelOptions(address: SentinelAddress): RedisOptions {
  const { sentinels, masterName, sentinelUsername, sentinelPassword, tls } = address;
  return {
    sentinels: [...sentinels],
    name: masterName,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...(tls !== undefined && { enableTLSForSentinelMode: true, sentinelTLS: tlsOptions(tls) }),
    sentinelCommandTimeout: SENTINEL_TIMEOUT_MS,
    // The first round through the sentinels begins where the one before ended; the second is whole, and the last.
    sentinelRetryStrategy: (round) => (round === 1 ? 0 : null),
    // It hears of failovers when they are over, and of those of other masters: see failovers.ts.
    failoverDetector: false,
  };
}

/** For a connection to a sentinel itself, to listen to it. */
export function sentinelConnectionOptions(address: SentinelAddress): RedisOptions {
  const { sentinelUsername: username, sentinelPassword: password, tls } = address;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: tlsOptions(tls) }),
    connectionName: 'gsls',
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
  };
}

function createCluster(address: ClusterAddress): Cluster {
  const cluster = new Cluster([...address.nodes], {
    redisOptions: connectionOptions(address),
    enableOfflineQueue: false,
    // It would hand MOVED and ASK to the callers of all commands in the pipeline.
    enableAutoPipelining: false,
    // A replica may lag behind: a list has to show what was acknowledged before.
    scaleReads: 'master',
    slotsRefreshTimeout: SLOTS_TIMEOUT_MS,
    // What a node refused to run is repeated; what a lost connection may have run is the caller's to repeat.
    maxRedirections: MOST_REDIRECTIONS,
    retryDelayOnMoved: REDIRECTION_DELAY_MS,
    retryDelayOnTryAgain: REDIRECTION_DELAY_MS,
    retryDelayOnClusterDown: REDIRECTION_DELAY_MS,
    retryDelayOnFailover: 0,
    clusterRetryStrategy: null,
    // Names are resolved by each connection: one that cannot be does not stop the others, and certificates match.
    dnsLookup: (host, resolved) => resolved(null, host),
  });
  cluster.on('+node', (node: Redis) => {
    node.on('connect', () => tune(node.stream));
    outliveErrors(node);
  });
  followSlots(cluster);
  return cluster;
}

/**
 * Keeps up with who has which slots, and looks more often while a node is silent. When no node can be asked, begins
 * anew with the nodes of the address: ioredis' own timer would go on asking those it knew last, whatever became of
 * them, even after the end.
 */
function followSlots(cluster: Cluster): void {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    cluster.refreshSlotsCache((error) => {
      if (error && cluster.status === 'ready') cluster.disconnect(true);
    });
  };
  cluster.on('ready', () => {
    clearInterval(timer);
    timer = setInterval(look, SLOTS_INTERVAL_MS);
  });
  cluster.on('+node', (node: Redis) => {
    node.on('connect', () => onSilence(node.stream, SUSPICIOUS_SILENCE_MS, look));
  });
  for (const event of ['disconnecting', 'close']) cluster.on(event, () => clearInterval(timer));
}

/** What holds for every connection but those to sentinels. */
export function connectionOptions({ username, password, tls, ...where }: RedisAddress): RedisOptions {
  const host = where.kind === 'standalone' ? where.host : undefined;
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls !== undefined && { tls: tlsOptions(tls, host) }),
    connectionName: 'gsls',
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    keepAlive: KEEP_ALIVE_MS,
    maxLoadingRetryTime: LOADING_INTERVAL_MS,
  };
}

/** Node checks the certificate against the server name, without one against the host. An IP cannot be a server name. */
export function tlsOptions({ ca, serverName }: RedisTls, host?: string): ConnectionOptions {
  const servername = serverName ?? (host !== undefined && isIP(host) === 0 ? host : undefined);
  return { ...(ca !== undefined && { ca }), ...(servername !== undefined && { servername }) };
}

/**
 * ioredis listens to one error of a connection. Closed during the handshake with a server whose certificate is refused,
 * TLS has a second one, which would end the process.
 */
function outliveErrors(redis: Redis): void {
  redis.on('error', () => redis.stream?.on('error', () => undefined));
}

function tune(stream: Socket): void {
  writeOnceATurn(stream);
  // ioredis' own socketTimeout outlives its connection when that is lost, and then ends the next one.
  onSilence(stream, LONGEST_SILENCE_MS, () => stream.destroy(new Error(SILENT)));
}

/**
 * Lets all commands of one turn of the event loop leave in one write: a write for each is the largest part of what a
 * ping costs. ioredis' own autopipelining costs more than it saves here.
 */
function writeOnceATurn(stream: Socket): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return write(...args);
  };
}

/** Calls back each time the peer has owed an answer for so long. */
function onSilence(stream: Socket, silenceMs: number, callback: () => void): void {
  let timer: NodeJS.Timeout | undefined;
  const calm = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    timer ??= setInterval(callback, silenceMs);
    return write(...args);
  };
  stream.on('data', calm).on('close', calm);
}
