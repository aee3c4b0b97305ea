/** A real master with replicas and the sentinels that watch them, on free ports. */

import { Redis } from 'ioredis';
import type { Certificate } from './certificate.ts';
import { until } from './until.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';

export interface RedisSentinel {
  readonly sentinels: readonly RedisServer[];
  /** The first one is the first master. */
  readonly nodes: readonly RedisServer[];
  readonly masterName: string;
  /** The port of the master, as a sentinel tells it. */
  masterPort(): Promise<number>;
  /** Makes a replica the master, as an operator does. Resolves when the sentinels have begun; waits until they can. */
  failover(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisSentinelOptions {
  /**
   * Two, unless said otherwise: each node takes writes only with a replica, and of one alone nothing is left when it
   * becomes the master.
   */
  readonly replicas?: number;
  readonly sentinels?: number;
  /** How long a node is silent before a sentinel takes it for down. */
  readonly downAfterMs?: number;
  readonly failoverTimeoutMs?: number;
  readonly masterName?: string;
  /** Of the nodes. */
  readonly password?: string;
  readonly sentinelPassword?: string;
  /** Of the nodes and of the sentinels. */
  readonly certificate?: Certificate;
  /** For the nodes. */
  readonly args?: readonly string[];
}

const HOST = '127.0.0.1';
const COMMAND_TIMEOUT_MS = 10_000;

/** Resolves when the replicas follow and all sentinels know them and each other. */
export async function startRedisSentinel(options: RedisSentinelOptions = {}): Promise<RedisSentinel> {
  const { replicas = 2, masterName = 'mymaster', password, certificate, args = [] } = options;
  const nodes: RedisServer[] = [];
  const sentinels: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all([...sentinels, ...nodes].map((each) => each.stop()));
  };
  const ask = <T>(question: (sentinel: Redis) => Promise<T>): Promise<T> =>
    Promise.any(sentinels.map((sentinel) => whileConnected(sentinel, question)));

  try {
    const durability = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '10'];
    const nodeArgs = replicas > 0 ? [...durability, ...args] : args;
    const nodeOptions = {
      ...(password !== undefined && { password }),
      ...(certificate !== undefined && { certificate }),
      args: nodeArgs,
    };
    await startAll(nodes, replicas + 1, () => startRedisServer(nodeOptions));
    const [master, ...others] = nodes;
    await Promise.all(others.map((replica) => follow(replica, master!)));

    const count = options.sentinels ?? 3;
    const quorum = Math.floor(count / 2) + 1;
    await startAll(sentinels, count, () => startSentinel(master!.port, quorum, masterName, options));
    await Promise.all(
      sentinels.map((sentinel) =>
        whileConnected(sentinel, (redis) => until(() => knowsAll(redis, masterName, replicas, count))),
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    sentinels,
    nodes,
    masterName,
    async masterPort() {
      const address = await ask((sentinel) =>
        sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName),
      );
      return Number((address as [host: string, port: string])[1]);
    },
    async failover() {
      await whileConnected(sentinels[0]!, (sentinel) =>
        until(() =>
          sentinel.call('SENTINEL', 'FAILOVER', masterName).then(
            () => true,
            () => false,
          ),
        ),
      );
    },
    stop,
  };
}

/** Side by side. Those that have started are in the list, also when another one fails. */
async function startAll(
  started: RedisServer[],
  count: number,
  start: () => Promise<RedisServer>,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, async () => started.push(await start())));
}

async function startSentinel(
  masterPort: number,
  quorum: number,
  masterName: string,
  options: RedisSentinelOptions,
): Promise<RedisServer> {
  const { downAfterMs = 1500, failoverTimeoutMs = 4000, password, sentinelPassword, certificate } = options;
  return startRedisServer({
    ...(certificate !== undefined && { certificate }),
    ...(sentinelPassword !== undefined && { password: sentinelPassword }),
    sentinel: [
      'sentinel resolve-hostnames no',
      `sentinel monitor ${masterName} ${HOST} ${masterPort} ${quorum}`,
      `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
      `sentinel failover-timeout ${masterName} ${failoverTimeoutMs}`,
      ...(password === undefined ? [] : [`sentinel auth-pass ${masterName} ${password}`]),
    ],
  });
}

/** Told at run time, as sentinels do: a replica that is started again takes it from its configuration file. */
async function follow(replica: RedisServer, master: RedisServer): Promise<void> {
  await whileConnected(replica, async (redis) => {
    await redis.replicaof(master.host, master.port);
    await redis.config('REWRITE');
    await until(async () => (await redis.info('replication')).includes('master_link_status:up'));
  });
}

async function knowsAll(
  sentinel: Redis,
  name: string,
  replicas: number,
  sentinels: number,
): Promise<boolean> {
  const master = fieldsOf(await sentinel.call('SENTINEL', 'MASTER', name));
  const known = (await sentinel.call('SENTINEL', 'REPLICAS', name)) as unknown[];
  return (
    Number(master.get('num-other-sentinels')) === sentinels - 1 &&
    known.length === replicas &&
    known.every((replica) => fieldsOf(replica).get('master-link-status') === 'ok')
  );
}

/** Field and value alternate. */
function fieldsOf(reply: unknown): Map<string, string> {
  const words = reply as string[];
  return new Map(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1]!]] : [])));
}

async function whileConnected<T>(server: RedisServer, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({
    ...server.access,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableReadyCheck: false,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}
