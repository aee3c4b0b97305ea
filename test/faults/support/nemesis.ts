/**
 * A random sequence of steps in which faults overlap, the same for the same seed. In a step there is at most one fault
 * of Redis and one of the mirror, and at most two of the three replicas have one; of these one at most is frozen, so
 * that HAProxy leaves it once. After a step all is mended.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import { carryOut, damage } from '../../support/damage.ts';
import { now, type Recorder } from '../../support/load/recorder.ts';
import type { SingleRedis } from './single-redis.ts';
import type { Replica } from './replica.ts';
import { WORKERS, type Setup } from './setup.ts';

/** The target of what is asked of the mirror. */
export const MIRROR = 'mirror';
const LONGEST_DELAY_MS = 2000;
const startsAfterMs = fc.nat({ max: LONGEST_DELAY_MS });

const redisFault = fc.oneof(
  fc.record({ kind: fc.constant('freeze' as const), forMs: fc.integer({ min: 300, max: 6000 }) }),
  fc.record({
    kind: fc.constant('restart with its data' as const),
    forMs: fc.integer({ min: 50, max: 3000 }),
  }),
  fc.record({
    kind: fc.constant('restart without its data' as const),
    forMs: fc.integer({ min: 50, max: 3000 }),
  }),
  fc.record({ kind: fc.constant('empty' as const), times: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: fc.constant('flush scripts' as const), times: fc.integer({ min: 5, max: 30 }) }),
  fc.record({ kind: fc.constant('cut connections' as const), times: fc.integer({ min: 1, max: 15 }) }),
  fc.record({
    kind: fc.constant('damage keys' as const),
    commands: fc.array(damage, { minLength: 1, maxLength: 5 }),
  }),
);
type RedisFault = typeof redisFault extends fc.Arbitrary<infer T> ? T : never;

const workerFault = fc.oneof(
  fc.record({ kind: fc.constant('kill a worker' as const), forMs: fc.integer({ min: 500, max: 3000 }) }),
  fc.record({ kind: fc.constant('freeze a worker' as const), forMs: fc.integer({ min: 200, max: 6000 }) }),
  fc.record({ kind: fc.constant('replace workers' as const), forMs: fc.integer({ min: 500, max: 3000 }) }),
);

const processFault = fc.oneof(
  fc.record({ kind: fc.constant('kill' as const), forMs: fc.integer({ min: 0, max: 3000 }) }),
  fc.record({ kind: fc.constant('restart' as const), forMs: fc.integer({ min: 0, max: 1000 }) }),
  fc.record({ kind: fc.constant('freeze' as const), forMs: fc.integer({ min: 200, max: 6000 }) }),
);

const replicaFault = fc.oneof(...(WORKERS > 1 ? [{ arbitrary: workerFault, weight: 1 }] : []), processFault);
type ReplicaFault = typeof replicaFault extends fc.Arbitrary<infer T> ? T : never;

interface Timed<T> {
  readonly startsAfterMs: number;
  readonly fault: T;
}

export interface Step {
  readonly redis: Timed<RedisFault> | undefined;
  /** By number of the replica. */
  readonly replicas: readonly (Timed<ReplicaFault> & { readonly which: number })[];
  readonly mirror: Timed<ReplicaFault> | undefined;
}

const step: fc.Arbitrary<Step> = fc
  .record({
    redis: fc.option(fc.record({ startsAfterMs, fault: redisFault }), { nil: undefined, freq: 8 }),
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 0, maxLength: 2 }),
    faults: fc.tuple(
      fc.record({ startsAfterMs, fault: replicaFault }),
      fc.record({ startsAfterMs, fault: replicaFault.filter(({ kind }) => !kind.startsWith('freeze')) }),
    ),
    mirror: fc.option(fc.record({ startsAfterMs, fault: processFault }), { nil: undefined, freq: 1 }),
  })
  .map(({ redis, order, faults, mirror }) => ({
    redis,
    mirror,
    replicas: order.map((which, index) => ({ which, ...faults[index]! })),
  }));

/** As many steps as are asked for, one after the other. */
export function* planSteps(seed: number): Iterable<Step> {
  for (let n = 0; ; n += 1) yield fc.sample(step, { seed: seed + n, numRuns: 1 })[0]!;
}

export function describeStep({ redis, replicas, mirror }: Step): string {
  return [
    ...(redis === undefined ? [] : [`Redis: ${describeFault(redis)}`]),
    ...replicas.map((each) => `replica ${each.which}: ${describeFault(each)}`),
    ...(mirror === undefined ? [] : [`mirror: ${describeFault(mirror)}`]),
  ].join('; ');
}

function describeFault({ startsAfterMs: from, fault }: Timed<RedisFault | ReplicaFault>): string {
  const { kind, ...how } = fault;
  return `${kind} at ${from} ms ${JSON.stringify(how)}`;
}

/** Resolves once all that the step broke runs again. */
export async function carryOutStep(
  { redis, replicas, mirror }: Step,
  {
    setup,
    store,
    recorder,
    mirror: itself,
  }: {
    readonly setup: Setup;
    readonly store: SingleRedis;
    readonly recorder: Recorder;
    readonly mirror: Replica;
  },
): Promise<void> {
  const onRedis = async (): Promise<void> => {
    if (redis === undefined) return;
    await delay(redis.startsAfterMs);
    await breakRedis(redis.fault, store, recorder);
  };
  const strike = async (
    host: string,
    { startsAfterMs: from, fault }: Timed<ReplicaFault>,
    replica: Replica,
  ): Promise<void> => {
    await delay(from);
    const absence = { host, from: now(), to: Infinity };
    recorder.absences.push(absence);
    await breakReplica(fault, replica);
    absence.to = now();
  };
  await Promise.all([
    onRedis(),
    mirror && strike(MIRROR, mirror, itself),
    ...replicas.map((each) => {
      const replica = setup.replicas[each.which]!;
      return strike(replica.host, each, replica);
    }),
  ]);
}

async function breakReplica({ kind, forMs }: ReplicaFault, replica: Replica): Promise<void> {
  if (kind === 'freeze') {
    replica.freeze();
    await delay(forMs);
    replica.thaw();
    return;
  }
  if (kind === 'freeze a worker') {
    const thaw = replica.freezeWorker();
    await delay(forMs);
    thaw();
    return;
  }
  if (kind === 'kill a worker' || kind === 'replace workers') {
    const isWhole = kind === 'kill a worker' ? replica.killWorker() : replica.replaceWorkers();
    await delay(forMs);
    isWhole();
    return;
  }
  await (kind === 'kill' ? replica.kill() : replica.stop());
  await delay(forMs);
  await replica.start();
}

async function breakRedis(fault: RedisFault, store: SingleRedis, recorder: Recorder): Promise<void> {
  const { server, client } = store;
  /** Notes that Redis may lose data while this works. */
  const losing = async (work: () => Promise<unknown>): Promise<void> => {
    const from = now();
    await work();
    recorder.losses.push({ from, to: now() });
  };
  switch (fault.kind) {
    case 'freeze':
      server.freeze();
      await delay(fault.forMs);
      return server.thaw();
    case 'restart with its data':
    case 'restart without its data': {
      const [, directory] = (await client.config('GET', 'dir')) as [string, string];
      await losing(() => server.crash());
      if (fault.kind === 'restart without its data')
        await rm(join(directory, 'appendonlydir'), { recursive: true, force: true });
      await delay(fault.forMs);
      return server.restart();
    }
    case 'empty':
      return repeat(fault.times, 700, () => losing(() => client.flushall()));
    case 'flush scripts':
      return repeat(fault.times, 100, () => client.script('FLUSH'));
    case 'cut connections':
      return repeat(fault.times, 200, () => client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'));
    case 'damage keys': {
      const ids = [...recorder.listed].flatMap(({ id, keepsPinging }) => (keepsPinging ? (id ?? []) : []));
      for (const command of fault.commands) {
        await losing(() => carryOut(client, command, ids.slice(0, 6)));
        await delay(50);
      }
    }
  }
}

async function repeat(times: number, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    if (n > 0) await delay(pauseMs);
    await work();
  }
}
