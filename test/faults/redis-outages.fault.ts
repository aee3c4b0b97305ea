/** Redis hangs, is killed and comes back with its data, loses the scripts, or drops connections. */

import { setTimeout as delay } from 'node:timers/promises';
import { DEADLINES } from '../../src/runtime/deadlines.ts';
import { startSetup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import { now, type Operation } from '../support/load/recorder.ts';
import { itEndures, useSetupUnderLoad, type Window } from './support/trial.ts';

const TTL_SECONDS = 3;
/** A write may take so much longer while the machine has no core for it. */
const MOST_MACHINE_MS = 250;
const OUTAGE_MS = 5 * TTL_SECONDS * 1000;

describe('Redis with persistence', () => {
  let redis: SingleRedis;
  const underLoad = useSetupUnderLoad(async () => {
    redis = await startSingleRedis(APPEND_ONLY);
    return startSetup({ store: redis, ttlSeconds: TTL_SECONDS });
  });

  itEndures('T5: Redis hangs for 10 s', underLoad, {
    store: 'away',
    async breakAndMend() {
      redis.server.freeze();
      await delay(10_000);
      redis.server.thaw();
    },
    moreReasons: whileRedisHangs,
    notes: (window) => [`refused in ${Math.round(percentile(refusals(window), 0.9))} ms (p90)`],
  });

  itEndures('T6: Redis is killed for five TTLs and comes back with its data', underLoad, {
    store: 'loses data',
    async breakAndMend() {
      await redis.server.crash();
      await delay(OUTAGE_MS);
      await redis.server.restart();
    },
  });

  itEndures('T9: the scripts are flushed each 100 ms for 10 s', underLoad, {
    store: 'stays',
    breakAndMend: () => repeatedly(100, 10_000, () => redis.client.script('FLUSH')),
  });

  itEndures('T10: all connections to Redis are closed each 200 ms for 10 s', underLoad, {
    store: 'away',
    breakAndMend: () =>
      repeatedly(200, 10_000, () => redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')),
  });
});

async function repeatedly(
  intervalMs: number,
  durationMs: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const until = now() + durationMs;
  while (now() < until) {
    await work();
    await delay(intervalMs);
  }
}

/** Once Redis has hung for a second or two, every replica knows. */
function whileRedisHangs({ from, mendedAt, operations }: Window): string[] {
  const during = operations.filter(({ sentAt, answeredAt }) => sentAt > from && answeredAt < mendedAt);
  const lists = during.filter(({ kind }) => kind === 'list');
  const reasons: string[] = [];
  if (lists.some(({ sentAt, stale }) => sentAt > from + 1000 && !stale))
    reasons.push('a list is not marked stale 1 s after Redis hung');
  if (percentile(lists, 0.99) > 500) reasons.push('the p99 of lists is over 500 ms');
  const writes = during.filter(({ kind }) => kind !== 'list');
  // Until every replica knows, a list waits for listMs and a write for commandMs: more is the machine's.
  const machineMs = Math.min(MOST_MACHINE_MS, Math.max(0, percentile(lists, 1) - DEADLINES.listMs));
  if (percentile(writes, 1) > 1000 + machineMs) reasons.push('a write took over 1 s to be refused');
  // A list waits for nothing: what it takes, this machine takes for any answer.
  const promptMs = Math.max(20, 2 * percentile(lists, 0.9));
  const refusedMs = percentile(refusals({ from, mendedAt, operations }), 0.9);
  if (refusedMs > promptMs)
    reasons.push(`the p90 of refused writes is ${Math.round(refusedMs)} ms, over ${Math.round(promptMs)} ms`);
  return reasons;
}

/** The writes that were refused while the replicas knew that Redis hangs. */
function refusals({ from, mendedAt, operations }: Window): Operation[] {
  return operations.filter(
    ({ kind, sentAt, answeredAt }) => kind !== 'list' && sentAt > from + 2000 && answeredAt < mendedAt,
  );
}

/** ms. */
function percentile(operations: readonly Operation[], share: number): number {
  const times = operations.map(({ sentAt, answeredAt }) => answeredAt - sentAt).toSorted((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0;
}
