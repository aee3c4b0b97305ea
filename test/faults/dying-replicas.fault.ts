/** Replicas are killed, stopped and started one after the other, or frozen, under load. */

import { setTimeout as delay } from 'node:timers/promises';
import { now } from '../support/load/recorder.ts';
import { startSetup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis } from './support/single-redis.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

/** "On SIGTERM … ends, after 10 s at the latest." */
const STOPS_WITHIN_MS = 10_000;
/** Long enough for some requests of each kind to be under way, too short for a health check to fail. */
const REQUESTS_GATHER_MS = 100;
/** A frozen replica gets no requests after this. */
const DROPS_WITHIN_MS = 2000;
/** The `timeout server` of HAProxy, and a little for the answer. */
const REPEATED_WITHIN_MS = 3500;
const FROZEN_MS = 10_000;
const POLL_MS = 50;

describe('replicas that die', () => {
  const underLoad = useSetupUnderLoad(async () =>
    startSetup({ store: await startSingleRedis(APPEND_ONLY), ttlSeconds: 3 }),
  );

  itEndures('T1: each replica is killed once, over requests it has begun', underLoad, {
    store: 'stays',
    async breakAndMend({ setup }) {
      for (const replica of setup.replicas) {
        replica.freeze();
        await delay(REQUESTS_GATHER_MS);
        await replica.kill();
        await setup.believed(replica, 'DOWN');
        await replica.start();
        await setup.believed(replica, 'UP');
      }
    },
  });

  const stops: { code: number | null; tookMs: number }[] = [];
  itEndures('T3: all replicas are stopped and started, one after the other', underLoad, {
    store: 'stays',
    async breakAndMend({ setup }) {
      stops.length = 0;
      for (const replica of setup.replicas) {
        stops.push(await replica.stop());
        await replica.start();
        await setup.believed(replica, 'UP');
      }
    },
    moreReasons: () => [
      ...(stops.every(({ code }) => code === 0) ? [] : ['a stopped replica did not exit with 0']),
      ...(stops.every(({ tookMs }) => tookMs <= STOPS_WITHIN_MS) ? [] : ['a replica took over 10 s to stop']),
    ],
    notes: () => [`stopped in ${stops.map(({ tookMs }) => (tookMs / 1000).toFixed(1)).join(', ')} s`],
  });
});

describe('a replica that freezes', () => {
  /** The TTL leaves HAProxy the time to give up on a request and to repeat it. */
  const underLoad = useSetupUnderLoad(
    async () => startSetup({ store: await startSingleRedis(APPEND_ONLY), ttlSeconds: 6 }),
    {
      giveUpAfterMs: 2 * REPEATED_WITHIN_MS,
    },
  );

  let droppedAfterMs = Infinity;
  itEndures('T4: a replica is frozen for 10 s', underLoad, {
    store: 'stays',
    // A client that had asked it waits until HAProxy asks another one.
    longestAnswerMs: REPEATED_WITHIN_MS,
    async breakAndMend({ setup }) {
      const [replica] = setup.replicas;
      const from = now();
      droppedAfterMs = Infinity;
      replica!.freeze();
      while (now() < from + FROZEN_MS) {
        if (droppedAfterMs === Infinity && setup.believes(replica!, 'DOWN')) droppedAfterMs = now() - from;
        await delay(POLL_MS);
      }
      replica!.thaw();
      await setup.believed(replica!, 'UP');
    },
    moreReasons: () => (droppedAfterMs <= DROPS_WITHIN_MS ? [] : ['HAProxy took over 2 s to drop it']),
    notes: () => [`HAProxy dropped it after ${(droppedAfterMs / 1000).toFixed(1)} s`],
  });
});
