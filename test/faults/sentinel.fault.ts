/** The master that sentinels watch is replaced: on request, because it hangs, or because it was killed. */

import { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { startRedisSentinel, type RedisSentinel } from '../support/redis-sentinel.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { startSetup, type Store } from './support/setup.ts';
import { describeTakeover, judgeTakeover, NOTICED_WITHIN_MS } from './support/takeovers.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

const DOWN_AFTER_MS = 1500;
const FROZEN_MS = 8000;
/** Until writes are accepted again. */
const LONGEST_OUTAGE_MS = 3000;
/** The same where the sentinels have to notice first that the master is down. */
const LONGEST_UNASKED_OUTAGE_MS = DOWN_AFTER_MS + 6000;

describe('Redis behind sentinels', () => {
  let redis: RedisSentinel;
  let master: RedisServer;
  let client: Redis;
  /** Resolves with how many scripts the old master has run after every replica should have left it. */
  let leftAlone: Promise<number>;

  const underLoad = useSetupUnderLoad(async () => {
    // As docs/redis.md says for a single replica.
    redis = await startRedisSentinel({
      replicas: 1,
      downAfterMs: DOWN_AFTER_MS,
      args: ['--min-replicas-to-write', '0'],
    });
    [master] = redis.nodes as [RedisServer];
    client = connectPatiently(master);
    const store: Store = {
      get client() {
        return client;
      },
      environment: {
        GSLS_REDIS_SENTINEL: redis.sentinels.map(({ host, port }) => `${host}:${port}`).join(','),
      },
      async stop() {
        client.disconnect();
        await redis.stop();
      },
    };
    return startSetup({ store, ttlSeconds: 3 });
  });

  itEnduresTakeover('T12: the sentinels are asked for a failover', LONGEST_OUTAGE_MS, () =>
    replaceMaster(() => redis.failover()),
  );

  itEnduresTakeover('T13: the master of the sentinels hangs for 8 s', LONGEST_UNASKED_OUTAGE_MS, async () => {
    const thawed = delay(FROZEN_MS);
    await replaceMaster(
      (old) => old.freeze(),
      async (old) => {
        await thawed;
        old.thaw();
      },
    );
  });

  itEnduresTakeover('T14: the master of the sentinels is killed', LONGEST_UNASKED_OUTAGE_MS, () =>
    replaceMaster(
      (old) => old.crash(),
      (old) => old.restart(),
    ),
  );

  function itEnduresTakeover(title: string, longestOutageMs: number, replace: () => Promise<void>): void {
    itEndures(title, underLoad, {
      store: 'away',
      breakAndMend: replace,
      async moreReasons(window) {
        const scripts = await leftAlone;
        return [
          ...judgeTakeover(window, longestOutageMs),
          ...(scripts === 0
            ? []
            : [`the old master has run ${scripts} scripts after it should have been left`]),
        ];
      },
      notes: describeTakeover,
    });
  }

  /** Resolves once there is another master. The old one is brought back later, under load. */
  async function replaceMaster(
    strike: (old: RedisServer) => void | Promise<void>,
    bringBack: (old: RedisServer) => void | Promise<void> = () => undefined,
  ): Promise<void> {
    const [old, oldClient] = [master, client];
    await strike(old);
    await until(async () => {
      const port = await redis.masterPort();
      master = redis.nodes.find((node) => node.port === port)!;
      return master !== old;
    });
    client = connectPatiently(master);
    leftAlone = Promise.resolve(bringBack(old))
      .then(() => scriptsRunOn(oldClient))
      .finally(() => oldClient.disconnect());
  }
});

/** Counts from when every replica should have left it until the sentinels have made it a replica. */
async function scriptsRunOn(old: Redis): Promise<number> {
  await delay(NOTICED_WITHIN_MS);
  const before = await countScripts(old);
  await until(async () => (await old.info('replication')).includes('master_link_status:up'));
  return (await countScripts(old)) - before;
}

/** Since it was started. */
async function countScripts(node: Redis): Promise<number> {
  const calls = (await node.info('commandstats')).matchAll(/^cmdstat_eval(?:sha)?:calls=(\d+)/gm);
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0);
}

function connectPatiently({ access }: RedisServer): Redis {
  const client = new Redis({ ...access, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  return client;
}
