/** Redis answers but refuses to write: it has no memory left, is a replica, or its disk fails. */

import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { startSetup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

const REFUSING_MS = 3000;

describe('Redis that refuses to write', () => {
  let redis: SingleRedis;
  const underLoad = useSetupUnderLoad(async () => {
    redis = await startSingleRedis(APPEND_ONLY);
    return startSetup({ store: redis, ttlSeconds: 3 });
  });

  itEndures('T29: Redis has no memory left', underLoad, {
    store: 'away',
    async breakAndMend() {
      await redis.client.config('SET', 'maxmemory', '1');
      await delay(REFUSING_MS);
      await redis.client.config('SET', 'maxmemory', '0');
    },
  });

  itEndures('T29: Redis becomes a replica of a master that does not exist', underLoad, {
    store: 'away',
    async breakAndMend() {
      await redis.client.replicaof('127.0.0.1', 1);
      await delay(REFUSING_MS);
      await redis.client.replicaof('NO', 'ONE');
    },
  });

  itEndures('T29: Redis cannot write its dump', underLoad, {
    store: 'away',
    async breakAndMend() {
      const [, directory] = (await redis.client.config('GET', 'dir')) as string[];
      const inTheWay = join(directory!, 'dump.rdb');
      await mkdir(inTheWay);
      await redis.client.config('SET', 'save', '3600 1');
      await saved('err');
      await delay(REFUSING_MS);
      await rmdir(inTheWay);
      await saved('ok');
      await redis.client.config('SET', 'save', '');
    },
  });

  /** Writes dumps until one ends with this status. */
  async function saved(status: 'ok' | 'err'): Promise<void> {
    await until(async () => {
      await redis.client.bgsave().catch(() => undefined);
      return (await redis.client.info('persistence')).includes(`rdb_last_bgsave_status:${status}`);
    });
  }
});
