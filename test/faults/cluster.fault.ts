/** A Redis Cluster loses the node of the registry, moves the registry, loses the scripts, or hangs as a whole. */

import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/until.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { now } from '../support/load/recorder.ts';
import { storeIn } from './support/cluster-store.ts';
import { mastersOf, startSetup } from './support/setup.ts';
import { describeTakeover, judgeTakeover } from './support/takeovers.ts';
import { itEndures, useSetupUnderLoad } from './support/trial.ts';

const NODE_TIMEOUT_MS = 1500;
const LONGEST_OUTAGE_MS = NODE_TIMEOUT_MS + 3000;
const LONGEST_WAIT_MS = 1000;
const FLUSHING_MS = 5000;
const FLUSH_INTERVAL_MS = 100;
const FROZEN_MASTER_MS = 8000;
const FROZEN_CLUSTER_MS = 5000;
/** All keys of a registry are in one slot: this is one of them. */
const KEY = '{gsls}:state';

describe('a Redis Cluster', () => {
  let redis: RedisCluster;
  let broughtBack: Promise<void>;
  /** How long each move of T16 took, ms. */
  let moves: readonly number[] = [];
  const underLoad = useSetupUnderLoad(async () => {
    redis = await startRedisCluster({ masters: 3, replicasEach: 1, nodeTimeoutMs: NODE_TIMEOUT_MS });
    return startSetup({ store: storeIn(redis), ttlSeconds: 3 });
  });

  itEndures('T9: the scripts are flushed on all masters of a Cluster each 100 ms for 5 s', underLoad, {
    store: 'stays',
    async breakAndMend({ setup }) {
      const from = now();
      while (now() < from + FLUSHING_MS) {
        await Promise.all(mastersOf(setup.store).map((master) => master.script('FLUSH')));
        await delay(FLUSH_INTERVAL_MS);
      }
    },
  });

  itEndures('T16: the registry moves to another master of a Cluster, and back', underLoad, {
    store: 'stays',
    longestAnswerMs: LONGEST_WAIT_MS,
    async breakAndMend() {
      const slot = await redis.slotOf(KEY);
      const from = await redis.masterOf(KEY);
      const to = redis.nodes.find((node) => node !== from)!;
      moves = [await timeOf(redis.moveSlot(slot, from, to))];
      await delay(LONGEST_WAIT_MS);
      moves = [...moves, await timeOf(redis.moveSlot(slot, to, from))];
    },
    notes: () => [`moved in ${moves.join(', ')} ms`],
  });

  itEnduresTakeover('T15: the master of the registry in a Cluster is killed', () =>
    replaceMaster(
      (old) => old.crash(),
      (old) => old.restart(),
    ),
  );

  itEnduresTakeover('T15: the master of the registry in a Cluster hangs for 8 s', async () => {
    const thawed = delay(FROZEN_MASTER_MS);
    await replaceMaster(
      (old) => old.freeze(),
      async (old) => {
        await thawed;
        old.thaw();
      },
    );
  });

  itEndures('T17: all nodes of a Cluster hang for 5 s', underLoad, {
    store: 'away',
    async breakAndMend() {
      for (const node of redis.nodes) node.freeze();
      await delay(FROZEN_CLUSTER_MS);
      for (const node of redis.nodes) node.thaw();
      await redis.masterOf(KEY);
    },
  });

  function itEnduresTakeover(title: string, replace: () => Promise<void>): void {
    itEndures(title, underLoad, {
      store: 'away',
      breakAndMend: replace,
      async moreReasons(window) {
        await broughtBack;
        return judgeTakeover(window, LONGEST_OUTAGE_MS);
      },
      notes: describeTakeover,
    });
  }

  /** Resolves once there is another master. The old one is brought back later, under load. */
  async function replaceMaster(
    strike: (old: RedisServer) => void | Promise<void>,
    bringBack: (old: RedisServer) => Promise<void>,
  ): Promise<void> {
    const old = await redis.masterOf(KEY);
    await strike(old);
    await until(async () => (await redis.masterOf(KEY)) !== old);
    broughtBack = bringBack(old);
  }
});

/** In ms. */
async function timeOf(work: Promise<void>): Promise<number> {
  const from = now();
  await work;
  return Math.round(now() - from);
}
