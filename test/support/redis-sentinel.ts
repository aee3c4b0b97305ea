/** A real master with replicas and the sentinels that watch them, on free ports. */

import { Redis } from 'ioredis';
import { until } from './processes.ts';
import { startRedisServer, type RedisServer } from './redis-server.ts';

export interface RedisSentinel {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The first one is the first master. */
  readonly nodes: readonly RedisServer[];
  readonly masterName: string;
  /** The port of the master, as a sentinel tells it. */
  masterPort(): Promise<number>;
  /** Makes a replica the master, as an operator does. Resolves when the sentinels have begun with it. */
  failover(): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisSentinelOptions {
  readonly replicas?: number;
  readonly sentinels?: number;
  /** How long a node is silent before a sentinel takes it for down. */
  readonly downAfterMs?: number;
  readonly failoverTimeoutMs?: number;
  readonly masterName?: string;
  /** Of the nodes. */
  readonly password?: string;
  readonly sentinelPassword?: string;
  /** For the nodes. */
  readonly args?: readonly string[];
}

const HOST = '127.0.0.1';
const COMMAND_TIMEOUT_MS = 1000;

/** Resolves when the replicas follow and all sentinels know them and each other. */
export async function startRedisSentinel(options: RedisSentinelOptions = {}): Promise<RedisSentinel> {
  const { replicas = 1, masterName = 'mymaster', password, sentinelPassword, args = [] } = options;
  const nodes: RedisServer[] = [];
  const sentinels: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all([...sentinels, ...nodes].map((each) => each.stop()));
  };
  const ask = <T>(question: (sentinel: Redis) => Promise<T>): Promise<T> =>
    Promise.any(sentinels.map(({ port }) => whileConnected(port, sentinelPassword, question)));

  try {
    const durability = ['--min-replicas-to-write', '1', '--min-replicas-max-lag', '10'];
    const nodeArgs = replicas > 0 ? [...durability, ...args] : args;
    const secret = password === undefined ? {} : { password };
    for (let index = 0; index <= replicas; index += 1)
      nodes.push(await startRedisServer({ ...secret, args: nodeArgs }));
    const [master, ...others] = nodes;
    await Promise.all(others.map((replica) => follow(replica.port, master!.port, password)));

    const count = options.sentinels ?? 3;
    for (let index = 0; index < count; index += 1)
      sentinels.push(await startSentinel(master!.port, Math.floor(count / 2) + 1, masterName, options));
    await Promise.all(
      sentinels.map(({ port }) =>
        whileConnected(port, sentinelPassword, (sentinel) =>
          until(() => knowsAll(sentinel, masterName, replicas, count)),
        ),
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
    nodes,
    masterName,
    async masterPort() {
      const address = await ask((sentinel) =>
        sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName),
      );
      return Number((address as [host: string, port: string])[1]);
    },
    async failover() {
      await whileConnected(sentinels[0]!.port, sentinelPassword, (sentinel) =>
        sentinel.call('SENTINEL', 'FAILOVER', masterName),
      );
    },
    stop,
  };
}

async function startSentinel(
  masterPort: number,
  quorum: number,
  masterName: string,
  { downAfterMs = 1500, failoverTimeoutMs = 4000, password, sentinelPassword }: RedisSentinelOptions,
): Promise<RedisServer> {
  return startRedisServer({
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
async function follow(port: number, masterPort: number, password: string | undefined): Promise<void> {
  await whileConnected(port, password, async (replica) => {
    await replica.replicaof(HOST, masterPort);
    await replica.config('REWRITE');
    await until(async () => (await replica.info('replication')).includes('master_link_status:up'));
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

async function whileConnected<T>(
  port: number,
  password: string | undefined,
  use: (redis: Redis) => Promise<T>,
): Promise<T> {
  const redis = new Redis({
    host: HOST,
    port,
    ...(password !== undefined && { password }),
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
