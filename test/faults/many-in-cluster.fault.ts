/**
 * Twelve registries in a Redis Cluster lie on all its masters: the loss of one master is none for those of the others.
 */

import { expect } from 'chai';
import { now, type Operation } from '../support/load/recorder.ts';
import { startRedisCluster, type RedisCluster } from '../support/redis-cluster.ts';
import type { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { FEW, loadBeside } from './support/beside.ts';
import { storeIn } from './support/cluster-store.ts';
import { startSetup } from './support/setup.ts';
import { itEndures, recover, useSetupUnderLoad, type SetupUnderLoad } from './support/trial.ts';

const MASTERS = 3;
const NAMES = Array.from({ length: 11 }, (_, n) => `game-${n + 1}`);
const CONFIG = `registries:\n  main: { path: /, redis-name: "" }\n${NAMES.map((name) => `  ${name}:\n`).join('')}`;
const MAIN_KEY = '{gsls}:state';
const NODE_TIMEOUT_MS = 1500;
const RECOVERS_WITHIN_MS = 1000;

interface Lying {
  readonly key: string;
  readonly underLoad: SetupUnderLoad;
}

describe('twelve registries in a Redis Cluster of three masters', () => {
  let redis: RedisCluster;
  let others: readonly Lying[];
  let brokenOnes: readonly Lying[];
  let broughtBack: Promise<void>;
  let recoveryMs: number;
  const underLoad = useSetupUnderLoad(
    async () => {
      redis = await startRedisCluster({ masters: MASTERS, replicasEach: 1, nodeTimeoutMs: NODE_TIMEOUT_MS });
      return startSetup({ store: storeIn(redis), ttlSeconds: 6, config: CONFIG });
    },
    { ...FEW, fleet: 30, listsPerSecond: 10 },
  );
  before(async () => {
    others = NAMES.map((name) => ({
      key: `{gsls:${name}}:state`,
      underLoad: loadBeside(underLoad().setup, `/${name}`, { ...FEW, listsPerSecond: 2 }),
    }));
    await Promise.all(others.map(({ underLoad: { load } }) => load.start()));
  });
  after(() => Promise.all((others ?? []).map(({ underLoad: { load } }) => load.stop())));

  it('lie on all masters', async () => {
    const keys = [MAIN_KEY, ...others.map(({ key }) => key)];
    const masters = await Promise.all(keys.map((key) => redis.masterOf(key)));
    expect(new Set(masters)).to.have.lengthOf(MASTERS);
  });

  itEndures('T35: a master of a Cluster is killed, on which the registry does not lie', underLoad, {
    store: 'stays',
    async breakAndMend() {
      for (const { underLoad: each } of others) begin(each);
      const old = await masterWithout(MAIN_KEY);
      const masters = await Promise.all(others.map(({ key }) => redis.masterOf(key)));
      brokenOnes = others.filter((_, index) => masters[index] === old);
      for (const { underLoad: each } of brokenOnes) each.recorder.beginOutage(false);
      await old.crash();
      await until(async () => (await redis.masterOf(brokenOnes[0]!.key)) !== old);
      broughtBack = old.restart();
      const mendedAt = now();
      await Promise.all(brokenOnes.map(({ underLoad: each }) => recover(each, mendedAt)));
      recoveryMs = now() - mendedAt;
      for (const { underLoad: each } of brokenOnes) each.recorder.outages[0]!.to = now();
    },
    async moreReasons() {
      await broughtBack;
      return [
        ...(recoveryMs <= RECOVERS_WITHIN_MS
          ? []
          : [`the others recovered after ${Math.round(recoveryMs)} ms`]),
        ...others.flatMap(({ key, underLoad: { checker, recorder } }, index) => {
          const isBroken = brokenOnes.includes(others[index]!);
          const failed = recorder.operations.filter((each) => !isSuccess(each, isBroken));
          return [
            ...checker.reasons,
            ...failed.map(({ kind, target, outcome }) => `a ${kind} at ${target} met ${outcome}`),
          ].map((reason) => `${key}: ${reason}`);
        }),
      ];
    },
    notes: () => [
      `${brokenOnes.length} registries lay on it, complete again after ${Math.round(recoveryMs)} ms`,
    ],
  });

  async function masterWithout(key: string): Promise<RedisServer> {
    const own = await redis.masterOf(key);
    const masters = await Promise.all(others.map((each) => redis.masterOf(each.key)));
    return masters.find((master) => master !== own)!;
  }
});

function begin({ checker, recorder }: SetupUnderLoad): void {
  checker.reset();
  recorder.operations.length = 0;
}

/** `isBroken`: whether writes may be refused, and lists be stale. */
function isSuccess({ kind, outcome, stale }: Operation, isBroken: boolean): boolean {
  return (outcome === '200' && (isBroken || !stale)) || (isBroken && kind !== 'list' && outcome === '503');
}
