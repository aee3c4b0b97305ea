/** The connection between the replicas and Redis is slow, delivers nothing, breaks off, or delivers small slices. */

import { setTimeout as delay } from 'node:timers/promises';
import { startBadConnection, type BadConnection } from './support/bad-connection.ts';
import { now } from '../support/load/recorder.ts';
import { APPEND_ONLY, startSingleRedis } from './support/single-redis.ts';
import { startSetup, type Store } from './support/setup.ts';
import { itEndures, useSetupUnderLoad, type Window } from './support/trial.ts';

const NUISANCE_MS = 4000;
const OUTAGE_MS = 8000;
const RESET_INTERVAL_MS = 300;

describe('a bad connection to Redis', () => {
  let connection: BadConnection;
  const underLoad = useSetupUnderLoad(async () => {
    const redis = await startSingleRedis(APPEND_ONLY);
    connection = await startBadConnection(redis.server.port);
    const store: Store = {
      client: redis.client,
      environment: { GSLS_REDIS: connection.url },
      async stop() {
        await connection.stop();
        await redis.stop();
      },
    };
    return startSetup({ store, ttlSeconds: 3 });
  });

  itEndures('T28: the connection to Redis takes 30 ms each way', underLoad, {
    store: 'stays',
    breakAndMend: () => beSlow(30),
    // A list may wait for two polls of 60 ms each, and is stale after 300 ms: a stall of the rest makes it so.
    longestStallMs: 100,
    moreReasons: (window) =>
      shareOfStaleLists(window) < 0.01 ? [] : ['more than one list in a hundred was stale'],
  });

  itEndures('T28: the connection to Redis takes 150 ms each way', underLoad, {
    store: 'stays',
    breakAndMend: () => beSlow(150),
    notes: (window) => [`${Math.round(100 * shareOfStaleLists(window))} % of the lists were stale meanwhile`],
  });

  itEndures('T28: the connection to Redis is cut into slices of 1 to 7 bytes', underLoad, {
    store: 'stays',
    async breakAndMend() {
      connection.cutUp();
      await delay(NUISANCE_MS);
      connection.mend();
    },
  });

  itEndures('T28: the connection to Redis delivers nothing for 8 s', underLoad, {
    store: 'away',
    async breakAndMend() {
      connection.swallow();
      await delay(OUTAGE_MS);
      connection.mend();
    },
  });

  itEndures('T28: the connection to Redis is reset each 300 ms for 8 s', underLoad, {
    store: 'away',
    async breakAndMend() {
      const until = now() + OUTAGE_MS;
      while (now() < until) {
        connection.reset();
        await delay(RESET_INTERVAL_MS);
      }
    },
  });

  async function beSlow(latencyMs: number): Promise<void> {
    connection.slowDown(latencyMs);
    await delay(NUISANCE_MS);
    connection.mend();
  }
});

function shareOfStaleLists({ from, mendedAt, operations }: Window): number {
  const lists = operations.filter(
    ({ kind, sentAt, answeredAt }) => kind === 'list' && sentAt > from && answeredAt < mendedAt,
  );
  return lists.filter(({ stale }) => stale).length / lists.length;
}
