/**
 * Finds out why there is no connection, by asking the ports themselves. ioredis does not report what Redis sends
 * unasked (protected mode, too many clients), what answers instead of Redis, and why sentinels and nodes of a Cluster
 * cannot be used. It uses no connection but its own short ones.
 */

import { connect, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import { connectionOptions, sentinelConnectionOptions, tlsOptions } from './connection-options.ts';
import type { ClusterAddress, HostAndPort, RedisAddress, SentinelAddress } from './redis-address.ts';

/** How long one listen() lasts: one for each port, or two, with TLS and without, if the port sends nothing. */
const LONGEST_TALK_MS = 1000;
/**
 * How long to wait for an unasked message: a Redis that refuses all connections sends one and closes, and a command
 * sent to it meanwhile would destroy the message.
 */
const UNASKED_MS = 100;
const MOST_BYTES = 200;

/** Resolves with the reason, within some seconds. Never rejects. */
export async function diagnose(address: RedisAddress, deadlines: Deadlines): Promise<Error> {
  const reason =
    address.kind === 'standalone'
      ? await examine(address, address)
      : address.kind === 'sentinel'
        ? await examineSentinels(address, deadlines)
        : await examineCluster(address, deadlines);
  return reason ?? new Error('the connection was closed');
}

async function examineSentinels(address: SentinelAddress, deadlines: Deadlines): Promise<Error | undefined> {
  return examineOneOf(address, address.sentinels, async (sentinel) => {
    try {
      const master = await askOnce(sentinelConnectionOptions(address, deadlines), sentinel, (redis) =>
        redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.masterName),
      );
      if (master === null) return new Error(`the sentinels know no master "${address.masterName}"`);
      const [host, port] = master as [string, string];
      return await examine(address, { host, port: Number(port) });
    } catch (error) {
      return new Error(`the sentinel ${sentinel.host}:${sentinel.port} says ${(error as Error).message}`);
    }
  });
}

async function examineCluster(address: ClusterAddress, deadlines: Deadlines): Promise<Error | undefined> {
  return examineOneOf(address, address.nodes, async (node) => {
    try {
      const state = await askOnce(connectionOptions(address, deadlines), node, (redis) =>
        redis.cluster('INFO'),
      );
      if (!state.includes('cluster_state:ok')) return new Error('CLUSTERDOWN The cluster is down');
      return undefined;
    } catch (error) {
      return error as Error;
    }
  });
}

/** Goes on with the first place that answers like a Redis. If none does, returns the reason of the first place. */
async function examineOneOf(
  address: RedisAddress,
  places: readonly HostAndPort[],
  goOn: (place: HostAndPort) => Promise<Error | undefined>,
): Promise<Error | undefined> {
  const reasons = await Promise.all(places.map((place) => examine(address, place)));
  const usable = reasons.indexOf(undefined);
  return usable < 0 ? reasons[0] : goOn(places[usable]!);
}

async function askOnce<T>(
  options: RedisOptions,
  { host, port }: HostAndPort,
  question: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis({
    ...options,
    host,
    port,
    commandTimeout: LONGEST_TALK_MS,
    enableReadyCheck: false,
    retryStrategy: null,
  });
  redis.on('error', () => undefined);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

/** Finds out what is wrong with the port; undefined if a Redis answers there and accepts commands. */
async function examine({ tls }: RedisAddress, where: HostAndPort): Promise<Error | undefined> {
  const secured = tls && tlsOptions(tls, where.host);
  const heard = await listen(where, secured);
  if (heard.said !== '') return judge(heard.said);
  if (!heard.isReached) return heard.error;
  // This only finds out whether the port speaks TLS: it sends no secret, so the certificate does not matter.
  const other = await listen(where, secured === undefined ? { rejectUnauthorized: false } : undefined);
  if (other.said === '') return heard.error;
  if (!isOfRedis(other.said)) return judge(other.said);
  return new Error(secured === undefined ? 'Redis speaks TLS there' : 'Redis speaks no TLS there');
}

function isOfRedis(said: string): boolean {
  return /^(\+PONG|-[A-Z]+ )/.test(said);
}

/** The reason in an answer, if it is one. A missing password is none: ioredis itself reports a missing or wrong one. */
function judge(said: string): Error | undefined {
  if (/^(\+PONG|-NOAUTH )/.test(said)) return undefined;
  const [line] = said.split(/[\r\n]/, 1) as [string];
  if (!isOfRedis(said)) return new Error(`another program than Redis answers: it says "${line}"`);
  return Object.assign(new Error(line.slice(1)), { name: 'ReplyError' });
}

interface Heard {
  /** The first line or the first bytes; empty if the port sent nothing. */
  readonly said: string;
  /** Why the port sent no more. */
  readonly error: Error;
  readonly isReached: boolean;
}

/** Waits for an unasked message of the port, then sends PING. */
function listen({ host, port }: HostAndPort, tls: ConnectionOptions | undefined): Promise<Heard> {
  return new Promise((resolve) => {
    const socket: Socket = tls === undefined ? connect({ host, port }) : connectTls({ host, port, ...tls });
    let said = '';
    let isReached = false;
    let asking: NodeJS.Timeout | undefined;
    const end = (error: Error): void => {
      clearTimeout(asking);
      clearTimeout(limit);
      socket.destroy();
      resolve({ said, error, isReached });
    };
    const limit = setTimeout(
      () => end(new Error(isReached ? 'it does not answer' : `connect ETIMEDOUT ${host}:${port}`)),
      LONGEST_TALK_MS,
    );
    socket.on('connect', () => (isReached = true));
    socket.on(tls === undefined ? 'connect' : 'secureConnect', () => {
      asking = setTimeout(() => socket.write('PING\r\n'), UNASKED_MS);
    });
    socket.on('data', (bytes) => {
      said += bytes.toString('latin1');
      if (said.includes('\n') || said.length >= MOST_BYTES) end(new Error('it said enough'));
    });
    socket.on('error', end);
    socket.on('close', () => end(new Error('it closes the connection without an answer')));
  });
}
