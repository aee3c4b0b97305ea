/** Redis loses its data: all of it, or the changes since the last dump. */

import { setTimeout as delay } from 'node:timers/promises';
import { startSetup } from './support/setup.ts';
import { startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

const TTL_SECONDS = 3;
const OUTAGE_MS = 5 * TTL_SECONDS * 1000;

describe('Redis that loses data', () => {
  let redis: SingleRedis;
  const underLoad = useSetupUnderLoad(async () => {
    redis = await startSingleRedis();
    return startSetup({ store: redis, ttlSeconds: TTL_SECONDS });
  });

  itEndures('T7: Redis is killed for five TTLs and comes back empty', underLoad, {
    store: 'loses data',
    async breakAndMend() {
      await redis.server.crash();
      await delay(OUTAGE_MS);
      await redis.server.restart();
    },
  });

  itEndures('T8: Redis is emptied', underLoad, {
    store: 'loses data',
    async breakAndMend() {
      await redis.client.flushall();
    },
  });

  let newcomers = Promise.resolve();
  itEndures('T11: Redis comes back as it was before 30 broadcasts and 5 removals', underLoad, {
    store: 'loses data',
    async breakAndMend({ load }) {
      await redis.client.save();
      await load.add(30);
      await load.remove(5);
      // It starts from the dump of before.
      await redis.server.restart();
      newcomers = load.add(5);
    },
    async moreReasons() {
      await newcomers;
      return [];
    },
  });
});
