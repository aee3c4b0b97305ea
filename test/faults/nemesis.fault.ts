/**
 * Several faults at once, at random: GSLS_NEMESIS_SEED and GSLS_NEMESIS_SECONDS repeat a sequence or make it longer.
 * With GSLS_FAULT_WORKERS=2 the two workers of each replica are killed, frozen and replaced as well.
 * The checks of support/checker.ts are made in every list; the others after each step.
 */

import { randomInt } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { FEW, loadBeside } from './support/beside.ts';
import { carryOutStep, describeStep, MIRROR, planSteps } from './support/nemesis.ts';
import { startNemesisMirror } from './support/nemesis-mirror.ts';
import { now, type Operation, type Recorder } from '../support/load/recorder.ts';
import { INTRUDED, startIntruders } from './support/intruders.ts';
import { ANNOUNCED, keepAnnouncing } from './support/keep-announcing.ts';
import { LABELLED, startLabeller } from './support/labeller.ts';
import { followLists } from './support/list-followers.ts';
import { ADMIN_KEY, moderate } from './support/moderator.ts';
import { judgeNearest, LOCATED } from './support/near-judge.ts';
import { report } from './support/report.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import type { Replica } from './support/replica.ts';
import { startScrapes } from './support/scrapes.ts';
import { layToRest, type Resting } from './support/resting.ts';
import { startSetup } from './support/setup.ts';
import { auditStore } from './support/store-audit.ts';
import { recover, useSetupUnderLoad } from './support/trial.ts';

const SEED = Number(
  process.env['GSLS_NEMESIS_SEED'] ?? process.env['GSLS_TEST_SEED'] ?? randomInt(1_000_000_000),
);
const SECONDS = Number(process.env['GSLS_NEMESIS_SECONDS'] ?? 90);
/** Leaves HAProxy the time to give up on a frozen replica. */
const TTL_SECONDS = 9;
const REST_MS = 1000;
/** While one outage follows another no entry expires, and the silent visitors would become a majority. */
const STEPS_BEFORE_CALM = 4;
/** Of a replica that was awake all the time; through HAProxy, which leaves a frozen one after 3 s. */
const LONGEST_ANSWER_MS = 2500;
const LONGEST_ANSWER_OF_HAPROXY_MS = 5500;
/** One second more than after a single fault: a replica may have ended while it wrote back what it knew. */
const RECOVERS_WITHIN_MS = 2000;
const LONGEST_RECOVERY_MS = 10_000;

/** The faults meet all of them. The load is on the first one, at the root, as without the others. */
const REGISTRIES = `registries:
  main: { path: /, redis-name: "" }
  second:
  resting:
`;
const COMMON = {
  // Each list is judged by the last ping that was acknowledged before it, of each game server.
  shareOfChanges: 1,
  giveUpAfterMs: LONGEST_ANSWER_OF_HAPROXY_MS + 2000,
};

/** Damaged keys, and workers that the nemesis killed. */
const EXPECTED_ERRORS = /"key":|worker \d+ (has died|is not replaced)/;

describe('a nemesis', () => {
  let store: SingleRedis;
  let resting: Resting;
  const underLoad = useSetupUnderLoad(
    async () => {
      store = await startSingleRedis(APPEND_ONLY);
      const environment = { GSLS_ADMIN_KEY: ADMIN_KEY, ...INTRUDED, ...LABELLED, ...LOCATED, ...ANNOUNCED };
      const setup = await startSetup({ store, ttlSeconds: TTL_SECONDS, environment, config: REGISTRIES });
      resting = await layToRest(setup, '/resting');
      return setup;
    },
    { ...COMMON, fleet: 150, broadcastsPerSecond: 4, listsPerSecond: 40 },
  );

  it('T30: faults of Redis and of replicas overlap at random', async function () {
    // What is around the sequence takes a minute and a half on two cores.
    this.timeout((SECONDS + 180) * 1000);
    const { setup, load, recorder, checker } = underLoad();
    const title = 'T30: faults of Redis and of replicas overlap at random';
    console.log(`      GSLS_NEMESIS_SEED=${SEED} GSLS_NEMESIS_SECONDS=${SECONDS}`);
    const reasons: string[] = [];
    const recoveries: number[] = [];
    const refused = new Map<string, number>();
    const endModeration = moderate(setup, recorder);
    const labeller = startLabeller(setup, recorder);
    const second = loadBeside(setup, '/second', { ...COMMON, ...FEW }, recorder);
    await second.load.start();
    const followers = followLists(setup);
    const mirror = await startNemesisMirror(underLoad());
    const intruders = await startIntruders(setup, recorder);
    const announcing = await keepAnnouncing(setup, recorder);
    const scrapes = await startScrapes(setup.replicas);
    const stalls = monitorEventLoopDelay({ resolution: 10 });
    stalls.enable();
    let isDamaged = false;
    const until = now() + SECONDS * 1000;
    let first = recorder.operations.length;
    second.recorder.operations.length = 0;
    let steps = 0;
    let longestMs = 0;
    for (const step of planSteps(SEED)) {
      if (now() > until || reasons.length > 0) break;
      steps += 1;
      const damages = step.redis?.fault.kind === 'damage keys';
      isDamaged ||= damages;
      if (damages) intruders.pause();
      checker.reset();
      second.checker.reset();
      const outage = recorder.beginOutage(false);
      await carryOutStep(step, { setup, store, recorder, mirror: mirror.replica });
      // A damaged record is found by the next ping for it, and mended then: until one TTL later no entry expires.
      if (damages) await delay(setup.ttlMs / 3);
      const mendedAt = now();
      await untilAll(setup.replicas, mendedAt + LONGEST_RECOVERY_MS);
      await Promise.all([recover(underLoad(), mendedAt), recover(second, mendedAt)]);
      const recoveryMs = now() - mendedAt;
      outage.to = now();
      recoveries.push(recoveryMs);
      await Promise.all(setup.replicas.map(async (replica) => setup.believed(replica, 'UP')));
      const [ofMirror] = await Promise.all([
        mirror.check(),
        delay(steps % STEPS_BEFORE_CALM === 0 ? 2 * setup.ttlMs : REST_MS),
      ]);
      intruders.resume();
      const operations = [...recorder.operations.splice(first), ...second.recorder.operations.splice(0)];
      first = recorder.operations.length;
      countRefused(operations, refused);
      longestMs = Math.max(longestMs, ...operations.map(({ sentAt, answeredAt }) => answeredAt - sentAt));
      const found = [
        ...ofMirror,
        ...checker.reasons,
        ...second.checker.reasons.map((reason) => `in the second registry: ${reason}`),
        ...(recoveryMs <= RECOVERS_WITHIN_MS ? [] : [`recovered after ${Math.round(recoveryMs)} ms only`]),
        ...tooLate(operations, recorder),
        ...unexpected(operations, recorder),
        // Other programs may have written into records what no version tells.
        ...(await followers.check(isDamaged)),
        ...intruders.takeGains(),
        ...(await announcing.check()),
        ...(await labeller.check()),
        ...(await judgeNearest(setup)),
        ...setup.replicas.flatMap((replica) => replica.takeMisbehaviour(EXPECTED_ERRORS)),
      ];
      reasons.push(...found.map((reason) => `step ${steps} (${describeStep(step)}): ${reason}`));
    }
    await second.load.stop();
    await intruders.stop();
    await announcing.stop();
    await endModeration();
    await followers.stop();
    await mirror.stop();
    // The next ping corrects damaged fields that no list shows.
    await delay(setup.ttlMs / 3 + REST_MS);
    reasons.push(...(await auditStore(setup, load)), ...(await scrapes.failures(recorder)));
    reasons.push(...(await resting.check()));
    await scrapes.stop();
    report({
      fault: title,
      errors: [...refused].map(([what, count]) => `${what}×${count}`).join(', '),
      longestAnswerMs: longestMs,
      lost: checker.lost,
      recoveryMs: Math.max(...recoveries),
      notes: [
        `seed ${SEED}`,
        `${steps} steps in ${SECONDS} s`,
        `the clients stalled for up to ${Math.round(stalls.max / 1e6)} ms`,
        `${recorder.unavoidable.size} losses that no design can avoid`,
      ],
      reasons,
    });
    expect(reasons, `GSLS_NEMESIS_SEED=${SEED}`).to.deep.equal([]);
  });
});

/** Waits until all serve, but no longer than until `latest`. */
async function untilAll(replicas: readonly Replica[], latest: number): Promise<void> {
  while (now() < latest && !replicas.every(({ isServing }) => isServing)) await delay(20);
}

function tooLate(operations: readonly Operation[], recorder: Recorder): string[] {
  const late = operations.filter(({ target, sentAt, answeredAt, outcome }) => {
    if (target === 'haproxy') return answeredAt - sentAt > LONGEST_ANSWER_OF_HAPROXY_MS;
    return (
      answeredAt - sentAt > LONGEST_ANSWER_MS &&
      /^\d/.test(outcome) &&
      !recorder.wasAbsent(target, sentAt, answeredAt)
    );
  });
  return late.map(
    ({ kind, target, sentAt, answeredAt }) =>
      `a ${kind} at ${target} took ${Math.round(answeredAt - sentAt)} ms`,
  );
}

/**
 * A write may be refused for a while, and the checker judges a 404. A list ends early if its replica was killed while
 * it sent the list.
 */
function unexpected(operations: readonly Operation[], recorder: Recorder): string[] {
  const isExpected = ({ kind, outcome, sentAt, answeredAt }: Operation): boolean =>
    kind === 'list'
      ? outcome === 'ECONNRESET' &&
        recorder.absences.some(({ host, from }) => host !== MIRROR && from >= sentAt && from <= answeredAt)
      : ['503', '404'].includes(outcome);
  const counts = countRefused(
    operations.filter((operation) => !isExpected(operation)),
    new Map<string, number>(),
  );
  return [...counts].map(([what, count]) => `clients met errors: ${what}×${count}`);
}

/** Adds what clients of HAProxy met other than success, by kind. */
function countRefused(operations: readonly Operation[], counts: Map<string, number>): Map<string, number> {
  for (const { kind, target, outcome } of operations) {
    if (target !== 'haproxy' || outcome === '200') continue;
    counts.set(`${kind} ${outcome}`, (counts.get(`${kind} ${outcome}`) ?? 0) + 1);
  }
  return counts;
}
