/** The master that sentinels watch is replaced: because somebody asks for it, because it hangs, because it dies. */

import { Redis, type RedisOptions } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/processes.ts';
import { startRedisSentinel, type RedisSentinel } from '../support/redis-sentinel.ts';
import type { RedisServer } from '../support/redis-server.ts';
import type { Store } from './support/stage.ts';
import { describeTakeover, judgeTakeover } from './support/takeovers.ts';
import { itEndures, useArena } from './support/trial.ts';

const DOWN_AFTER_MS = 1500;
const FROZEN_MS = 8000;
/** Until writes are taken again. */
const LONGEST_OUTAGE_MS = 3000;
/** The same where the master has to be missed first. */
const LONGEST_UNASKED_OUTAGE_MS = DOWN_AFTER_MS + 6000;

describe('Redis behind sentinels', () => {
  let redis: RedisSentinel;
  /** What was the master until the last fault. */
  let old: Redis;
  /** Resolves with how many scripts it has run for a replica that should have left it. */
  let leftAlone: Promise<number>;

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

  itEnduresTakeover('T12: the sentinels are asked for a failover', LONGEST_OUTAGE_MS, () =>
    replaceMaster(() => redis.failover()),
  );

  itEnduresTakeover('T13: the master hangs for 8 s', LONGEST_UNASKED_OUTAGE_MS, async () => {
    const thawed = delay(FROZEN_MS);
    await replaceMaster(
      (master) => master.freeze(),
      async (master) => {
        await thawed;
        master.thaw();
      },
    );
  });

  itEnduresTakeover('T14: the master is killed', LONGEST_UNASKED_OUTAGE_MS, () =>
    replaceMaster(
      (master) => master.crash(),
      (master) => master.restart(),
    ),
  );

  function itEnduresTakeover(title: string, longestOutageMs: number, replace: () => Promise<void>): void {
    itEndures(title, arena, {
      store: 'away',
      breakAndMend: replace,
      async moreReasons(window) {
        const scripts = await leftAlone;
        return [
          ...judgeTakeover(window, longestOutageMs),
          ...(scripts === 0 ? [] : [`the old master has run ${scripts} scripts since it was left`]),
        ];
      },
      notes: describeTakeover,
    });
  }

  /** Resolves once there is another master. The old one is brought back later, under load. */
  async function replaceMaster(
    strike: (master: RedisServer) => void | Promise<void>,
    bringBack: (master: RedisServer) => void | Promise<void> = () => undefined,
  ): Promise<void> {
    const port = await redis.masterPort();
    const master = redis.nodes.find((node) => node.port === port)!;
    old = connectPatiently(master.access);
    await old.ping();
    await strike(master);
    await until(async () => (await redis.masterPort()) !== port);
    leftAlone = Promise.resolve(bringBack(master)).then(scriptsRunOnOld);
  }

  /** From when none of ours is connected to it until the sentinels have made it a replica. */
  async function scriptsRunOnOld(): Promise<number> {
    await until(async () => !((await old.client('LIST')) as string).includes('name=gsls'));
    const before = await countScripts(old);
    await until(async () => (await old.info('replication')).includes('master_link_status:up'));
    return (await countScripts(old)) - before;
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
    environment: {
      GSLS_REDIS_SENTINEL: redis.sentinels.map(({ host, port }) => `${host}:${port}`).join(','),
    },
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
