/**
 * `npm run bench`: every case on the floor and on us in turn, several rounds, medians. Machines are shared and
 * noisy, so what counts is the ratio to the floor of the same run. bench/RESULTS.md keeps the last results.
 */

import { cpus, totalmem } from 'node:os';
import { createBalancedCases, createCases, createComparedCases, type Case } from './cases.ts';
import { measureFeed } from '../redis/feed-cost.ts';
import { createFindCases } from './find-cases.ts';
import { fill, openListedRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { startRedis, type RunningRedis } from '../support/processes.ts';
import { printResult } from '../support/table.ts';
import { startBalanced, startSubject, type RunningSubject } from './subject-processes.ts';
import { measureJoin } from '../redis/join-cost.ts';
import { measureQueries } from './query-cost.ts';
import type { Extra, FeedLine, Results, Row } from './results.ts';
import { runCase } from './run-case.ts';
import type { SubjectName } from './subjects.ts';
import { printTable } from './print-results.ts';
import { measureTurns } from './turn-cost.ts';

/** What is no case, by the name for --only. */
const OTHERS = {
  join: 'join of a replica',
  queries: 'cost of queries',
  turns: 'longest turns',
  feed: 'line of the feed',
};

const options = readOptions('bench', {
  counts: ['100,1000,10000,100000', 'how many game servers are listed'],
  only: ['', `the cases whose name contains this; of what is no case: ${Object.values(OTHERS).join(', ')}`],
  rounds: [5, 'of each case, of which the median counts'],
  seconds: [2, 'each measurement lasts'],
  json: [false, 'for programs'],
});
const { rounds, seconds } = options;
const counts = options.counts.split(',').map(Number);

/** The number of game servers with which three replicas are measured as well. */
const BALANCED_COUNT = 10_000;
/** The number with which the fast path is compared with Koa, and limited and unmeasured requests with others. */
const PATHS_COUNT = 200;

/** In a shorter list there is little to find. */
const FEWEST_TO_FIND = 10_000;

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function isWanted({ name }: { readonly name: string }): boolean {
  return name.includes(options.only);
}

/** Runs what is wanted of the cases, each on its subjects. */
async function runCases(
  cases: readonly Case[],
  start: (name: SubjectName) => Promise<RunningSubject>,
  redis?: RunningRedis,
): Promise<Row[]> {
  const wanted = cases.filter(isWanted);
  const running = new Map<SubjectName, RunningSubject>();
  for (const name of new Set(wanted.flatMap(({ subjects }) => subjects))) {
    progress(`starting ${name} with ${cases[0]!.count} servers`);
    running.set(name, await start(name));
  }
  const rows: Row[] = [];
  for (const each of wanted)
    rows.push(...(await runCase(each, running, { rounds, seconds, redis: redis?.client, progress })));
  for (const subject of running.values()) await subject.stop();
  return rows;
}

/** What is measured on a Redis of its own. */
async function onRedis<T>(measure: (redis: RunningRedis) => Promise<T[]>): Promise<T[]> {
  const redis = await startRedis();
  const measured = await measure(redis);
  await redis.stop();
  return measured;
}

function runCount(count: number): Promise<Row[]> {
  const cases = [...createCases(count), ...(count >= FEWEST_TO_FIND ? createFindCases(count) : [])];
  return onRedis((redis) =>
    runCases(cases, (name) => startSubject({ name, count, redisPort: redis.port }), redis),
  );
}

function runBalanced(count: number): Promise<Row[]> {
  return onRedis((redis) =>
    runCases(
      createBalancedCases(count),
      (name) => startBalanced({ name, count, redisPort: redis.port }),
      redis,
    ),
  );
}

async function measureJoining(redis: RunningRedis, count: number): Promise<Extra[]> {
  const { registry, close } = await openListedRegistry(redis.port);
  await fill(registry, count);
  await close();
  return measureJoin(redis, count);
}

const rows: Row[] = [];
const extras: Extra[] = [];
for (const count of counts) {
  rows.push(...(await runCount(count)));
  if (count === BALANCED_COUNT) rows.push(...(await runBalanced(count)));
  if (isWanted({ name: OTHERS.join })) {
    progress(OTHERS.join);
    extras.push(...(await onRedis((redis) => measureJoining(redis, count))));
  }
  if (count < FEWEST_TO_FIND) continue;
  for (const [name, measure] of [
    [OTHERS.queries, measureQueries],
    [OTHERS.turns, measureTurns],
  ] as const) {
    if (!isWanted({ name })) continue;
    progress(name);
    extras.push(...(await measure(count)));
  }
}
rows.push(
  ...(await runCases(createComparedCases(PATHS_COUNT), (name) => startSubject({ name, count: PATHS_COUNT }))),
);
let feed: readonly FeedLine[] = [];
if (isWanted({ name: OTHERS.feed })) {
  progress(OTHERS.feed);
  feed = await onRedis((redis) => measureFeed(redis, seconds));
}

const [cpu] = cpus();
const results: Results = {
  machine: {
    cpus: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  },
  rounds,
  seconds,
  rows,
  extras,
  feed,
};
printResult(options.json, results, () => printTable(results));
