/**
 * Three registries with game servers that move all the time, and three mirrors of them, far apart: at random, origins
 * lose their data or are killed, mirrors are killed or stopped, and a mirror does not reach an origin. The list of each
 * mirror is judged all the while. After each step the game servers rest: each mirror has the union of its origins.
 * GSLS_FAULT_MIRROR_SEED, _SECONDS and _SERVERS repeat a sequence, or make it longer and larger.
 */

import { randomInt } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { between, createRandom, fork, pick, type Random } from '../../src/tools/demo/random.ts';
import { now } from '../support/load/recorder.ts';
import { endProcesses } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { MirrorJudge } from './support/mirror-judge.ts';
import { MovingFleet } from './support/moving-fleet.ts';
import {
  LONGEST_WAY_MS,
  NAMES,
  startWorld,
  TTL_S,
  type Mirror,
  type Region,
  type World,
} from './support/regions.ts';
import { report } from './support/report.ts';
import { ownTime, watchStarved } from './support/starved.ts';
import { endure, type Tried } from './support/trial.ts';

const SEED = Number(process.env['GSLS_FAULT_MIRROR_SEED'] ?? randomInt(1_000_000_000));
const SECONDS = Number(process.env['GSLS_FAULT_MIRROR_SECONDS'] ?? 40);
const SERVERS = Number(process.env['GSLS_FAULT_MIRROR_SERVERS'] ?? 600);
const TITLE = 'T36: three mirrors far from three registries, while anything fails';

/** How late a mirror may be beside its origin. */
const MOST_DELAY_MS = 2000;
const PING_INTERVAL_MS = (TTL_S * 1000) / 3;
/** How often lists are judged and compared: with few game servers the clients have time for it. */
const SAMPLE_INTERVAL_MS = SERVERS > 1000 ? 2000 : 300;
const POLL_MS = SERVERS > 1000 ? 200 : 20;
const REST_MS = 1000;
/** For a comparison that fails for good. */
const LONGEST_RECOVERY_MS = 20_000;

/** What the strikes of one step share. */
interface Struck {
  readonly world: World;
  readonly judge: MirrorJudge;
  readonly random: Random;
  /** Its replica dies. */
  readonly killed: Region;
  /**
   * Its Redis is emptied. It is another one than `killed`: an origin whose Redis and replicas are lost at once has lost
   * its list, and mirrors hold what it had for five minutes (test/registry/mirror/origin.test.ts).
   */
  readonly emptied: Region;
}

/** Resolves once all is mended, or with what is to mend once all game servers rest. */
type Strike = (about: Struck) => Promise<(() => void) | void>;

const STRIKES: Readonly<Record<string, Strike>> = {
  async 'a mirror does not reach an origin'({ world, judge, random }) {
    const [mirror, origin] = [pick(world.mirrors, random), pick(NAMES, random)];
    const back = judge.away('way', [mirror], [origin]);
    mirror.ways[origin].cut();
    await delay(between(1000, 12_000, random));
    const mend = (): void => {
      mirror.ways[origin].mend();
      back();
    };
    if (random() < 0.5) return mend;
    return mend();
  },
  async 'an origin is killed'({ world, judge, random, killed: { name, replica } }) {
    const back = judge.away('origin', world.mirrors, [name]);
    await replica.kill();
    await delay(between(0, 4000, random));
    await replica.start();
    await until(() => replica.isServing);
    back();
  },
  'a mirror is killed': (about) => restart(about, ({ replica }) => replica.kill()),
  async 'Redis of an origin is emptied'({ emptied }) {
    await emptied.redis.client.flushall();
  },
  'a mirror is stopped': (about) => restart(about, ({ replica }) => replica.stop()),
};

async function restart(
  { world, judge, random }: Struck,
  end: (mirror: Mirror) => Promise<unknown>,
): Promise<void> {
  const mirror = pick(world.mirrors, random);
  const back = judge.away('mirror', [mirror], NAMES);
  await end(mirror);
  await delay(between(0, 2000, random));
  await mirror.replica.start();
  await until(() => mirror.replica.isServing);
  back();
}

describe('mirrors of registries far away', function () {
  this.timeout((4 * SECONDS + 240) * 1000);

  let world: World;
  let judge: MirrorJudge;
  let fleet: MovingFleet;
  const random = createRandom(SEED);

  before('the world', async () => {
    world = await startWorld(fork(random));
    const registries = world.regions.map(({ replica }) => replica);
    fleet = new MovingFleet({
      count: SERVERS,
      registries,
      pingIntervalMs: PING_INTERVAL_MS,
      random: fork(random),
    });
    judge = new MirrorJudge({
      ...world,
      sampleIntervalMs: SAMPLE_INTERVAL_MS,
      mostDelayMs: MOST_DELAY_MS + LONGEST_WAY_MS,
    });
    await fleet.start();
    await delay(MOST_DELAY_MS);
  });
  after('the world', async () => {
    await judge?.stop();
    await fleet?.stop();
    await world?.stop();
    await endProcesses();
  });

  it('T36: three mirrors far from three registries, while anything fails', () => {
    console.log(`      GSLS_FAULT_MIRROR_SEED=${SEED} GSLS_FAULT_MIRROR_SECONDS=${SECONDS}`);
    return endure(tryOnce);
  });

  async function tryOnce(): Promise<Tried> {
    const stalls = monitorEventLoopDelay({ resolution: 10 });
    stalls.enable();
    judge.reset();
    const reasons: string[] = [];
    const recoveries: number[] = [];
    const replicas = [...world.mirrors, ...world.regions].map(({ replica }) => replica);
    let starvedMs = 0;
    const latest = now() + SECONDS * 1000;
    while (now() < latest && reasons.length === 0) {
      const titles = strikesOf(recoveries.length, random);
      const at = between(0, world.regions.length - 1, random);
      const [killed, emptied] = [world.regions[at]!, world.regions[(at + 1) % world.regions.length]!];
      const about = { world, judge, random: fork(random), killed, emptied };
      const left = await Promise.all(titles.map((title) => STRIKES[title]!(about)));
      await fleet.rest();
      for (const mend of left) mend?.();
      const mendedAt = now();
      const starved = await watchStarved(replicas);
      const differences = await differencesAtLast();
      const recoveryMs = now() - mendedAt;
      const waitedMs = await starved();
      recoveries.push(recoveryMs);
      starvedMs = Math.max(starvedMs, waitedMs);
      fleet.move();
      await delay(REST_MS);
      const found = [
        ...differences,
        ...(ownTime(recoveryMs, waitedMs) <= MOST_DELAY_MS + LONGEST_WAY_MS
          ? []
          : [`all had the union after ${Math.round(recoveryMs)} ms only`]),
        ...(await judge.judged()),
        ...replicas.flatMap((replica) => replica.takeMisbehaviour()),
      ];
      reasons.push(...found.map((reason) => `step ${recoveries.length} (${titles.join(', ')}): ${reason}`));
    }
    const row = {
      fault: TITLE,
      errors: '',
      lost: 0,
      recoveryMs: Math.max(...recoveries),
      notes: [`seed ${SEED}`, `${recoveries.length} steps in ${SECONDS} s`, `${judge.lists} lists judged`],
      reasons: reasons.slice(0, 10),
    };
    report(row);
    return { row, stalledMs: Math.max(starvedMs, stalls.max / 1e6) };
  }

  /** Resolves once each mirror has the union of its origins, or with what is wrong after a long time. */
  async function differencesAtLast(): Promise<readonly string[]> {
    const latest = now() + LONGEST_RECOVERY_MS;
    for (;;) {
      const differences = await judge.differences();
      if (differences.length === 0 || now() > latest) return differences;
      await delay(POLL_MS);
    }
  }
});

const OF_MIRROR = /^a mirror is/;

/** Each of them in turn, and mostly another one beside it; never two that strike a mirror itself. */
function strikesOf(step: number, random: Random): readonly string[] {
  const all = Object.keys(STRIKES);
  const first = all[step % all.length]!;
  const others = all.filter(
    (each) => each !== first && ![first, each].every((title) => OF_MIRROR.test(title)),
  );
  return random() < 0.7 ? [first, pick(others, random)] : [first];
}
