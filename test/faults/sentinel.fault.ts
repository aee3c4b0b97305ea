/** The master that sentinels watch is replaced: because somebody asks for it, because it hangs, because it dies. */

import { Redis, type RedisOptions } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/processes.ts';
import { startRedisSentinel, type RedisSentinel } from '../support/redis-sentinel.ts';
import type { RedisServer } from '../support/redis-server.ts';
import type { Store } from './support/stage.ts';
import { describeOutages, judge, takeover, type Takeover } from './support/takeovers.ts';
import { itEndures, useArena } from './support/trial.ts';

const DOWN_AFTER_MS = 1500;
const LONGEST_FAILOVER_MS = 3000;
/** Of a master that has to be missed first. */
const LONGEST_OUTAGE_MS = DOWN_AFTER_MS + 6000;
const FROZEN_MS = 10_000;

describe('Redis behind sentinels', () => {
  let redis: RedisSentinel;
  let takeovers: Takeover[];
  /** What was the master until the last fault. */
  let old: Redis;
  let scriptsOfOld: number;

  const arena = useArena(async () => {
    // As the README says for a single replica.
    redis = await startRedisSentinel({
      replicas: 1,
      downAfterMs: DOWN_AFTER_MS,
      args: ['--min-replicas-to-write', '0'],
    });
    return { store: storeBehind(redis), ttlSeconds: 3 };
  });

  afterEach(() => old.disconnect());

  itEndures('T12: the sentinels are asked for a failover', arena, {
    store: 'away',
    async breakAndMend() {
      await replace(() => redis.failover());
      await oldIsReplica();
    },
    moreReasons: async (window) => [
      ...judge(takeovers, window, LONGEST_FAILOVER_MS),
      ...(await scriptsRunOnOld()),
    ],
    notes: (window) => describeOutages(takeovers, window),
  });

  itEndures('T13: the master hangs for 10 s', arena, {
    store: 'away',
    async breakAndMend() {
      const thawed = delay(FROZEN_MS);
      const master = await replace((each) => each.freeze());
      await thawed;
      master.thaw();
      await oldIsReplica();
    },
    moreReasons: async (window) => [
      ...judge(takeovers, window, LONGEST_OUTAGE_MS),
      ...(await scriptsRunOnOld()),
    ],
    notes: (window) => describeOutages(takeovers, window),
  });

  itEndures('T14: the master is killed', arena, {
    store: 'away',
    async breakAndMend() {
      const master = await replace((each) => each.crash());
      await master.restart();
      await oldIsReplica();
    },
    moreReasons: async (window) => [
      ...judge(takeovers, window, LONGEST_OUTAGE_MS),
      ...(await scriptsRunOnOld()),
    ],
    notes: (window) => describeOutages(takeovers, window),
  });

  /** Resolves with the old master once there is another one. */
  async function replace(strike: (master: RedisServer) => void | Promise<void>): Promise<RedisServer> {
    const port = await redis.masterPort();
    const master = redis.nodes.find((node) => node.port === port)!;
    old = connectPatiently(master.access);
    await old.ping();
    takeovers = [
      await takeover(
        () => strike(master),
        () => until(async () => (await redis.masterPort()) !== port),
      ),
    ];
    return master;
  }

  /** Waits until the sentinels have made it one; from when none of ours is connected to it, it runs no script. */
  async function oldIsReplica(): Promise<void> {
    await until(async () => !((await old.client('LIST')) as string).includes('name=gsls'));
    scriptsOfOld = await countScripts(old);
    await until(async () => (await old.info('replication')).includes('master_link_status:up'));
  }

  async function scriptsRunOnOld(): Promise<string[]> {
    const count = (await countScripts(old)) - scriptsOfOld;
    return count === 0 ? [] : [`the old master has run ${count} scripts since`];
  }
});

function storeBehind(redis: RedisSentinel): Store {
  const client = connectPatiently({
    sentinels: redis.sentinels.map(({ host, port }) => ({ host, port })),
    name: redis.masterName,
    sentinelRetryStrategy: () => 50,
    failoverDetector: true,
  });
  return {
    client,
    environment: { GSLS_REDIS_SENTINEL: redis.sentinels.map(({ host, port }) => `${host}:${port}`).join(',') },
    async stop() {
      client.disconnect();
      await redis.stop();
    },
  };
}

function connectPatiently(options: RedisOptions): Redis {
  const client = new Redis({ ...options, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  return client;
}

/** Since it was started. */
async function countScripts(node: Redis): Promise<number> {
  const calls = (await node.info('commandstats')).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm);
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
}
