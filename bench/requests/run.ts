/**
 * `npm run bench`: every case on the floor and on us in turn, several rounds, medians. Machines are shared and
 * noisy, so what counts is the ratio to the floor of the same run. bench/RESULTS.md keeps the last results.
 */

import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import {
  createBalancedCases,
  createCases,
  createLimitedCases,
  createPathCases,
  createUnmeasuredCases,
  type Case,
} from './cases.ts';
import { measureChurn } from '../redis/churn.ts';
import { measureFeed } from '../redis/feed-cost.ts';
import { createFindCases } from './find-cases.ts';
import { loadTool } from '../support/load.ts';
import { fill, openRegistry } from '../support/open-registry.ts';
import {
  startBalanced,
  startRedis,
  startSubject,
  type RunningRedis,
  type RunningSubject,
} from '../support/processes.ts';
import { measureJoin, measureRedisTime } from '../redis/redis-cost.ts';
import type { Extra, FeedLine, Results, Row } from './results.ts';
import { runCase } from './run-case.ts';
import type { SubjectName } from './subjects.ts';
import { printTable } from './print-results.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    counts: { type: 'string', default: '100,1000,10000,100000' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

/** What is no case, by the name for --only. */
const OTHERS = { cost: 'cost of Redis', feed: 'line of the feed', churn: 'hour of churn' };

if (options.help) {
  process.stdout.write(`npm run bench -- [options]
  --counts 100,10000   how many game servers are listed
  --only ping          the cases whose name contains this; of what is no case: ${Object.values(OTHERS).join(', ')}
  --rounds 5           of each case, of which the median counts
  --seconds 2          each measurement lasts
  --json               for programs
`);
  process.exit(0);
}

const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
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

/** Runs what is wanted of the cases. `start` resolves with undefined where a subject cannot be had. */
async function runCases(
  cases: readonly Case[],
  names: readonly SubjectName[],
  start: (name: SubjectName) => Promise<RunningSubject | undefined>,
  redis?: RunningRedis,
): Promise<Row[]> {
  const wanted = cases.filter(isWanted);
  const used = names.filter((name) => wanted.some(({ subjects }) => subjects.includes(name)));
  const running = new Map<SubjectName, RunningSubject>();
  const rows: Row[] = [];
  for (const name of used) {
    progress(`starting ${name} with ${cases[0]!.count} servers`);
    const subject = await start(name);
    if (subject !== undefined) running.set(name, subject);
  }
  if (running.has('floor'))
    for (const each of wanted)
      rows.push(...(await runCase(each, running, { rounds, seconds, redis: redis?.client, progress })));
  for (const subject of running.values()) await subject.stop();
  return rows;
}

async function runCount(count: number): Promise<Row[]> {
  const redis = await startRedis();
  if (redis === undefined) progress('redis-server is not installed: nothing is measured on Redis');
  const names: SubjectName[] = ['floor', 'gsls-memory', 'rival-stringify'];
  if (redis !== undefined) names.push('gsls-redis', 'rival-hgetall');
  const port = redis && { redisPort: redis.port };
  const rows = await runCases(
    [...createCases(count), ...(count >= FEWEST_TO_FIND ? createFindCases(count) : [])],
    names,
    (name) => startSubject({ name, count, ...port }),
    redis,
  );
  await redis?.stop();
  return rows;
}

async function runBalanced(count: number): Promise<Row[]> {
  const redis = await startRedis();
  if (redis === undefined) return [];
  const start = async (name: SubjectName): Promise<RunningSubject | undefined> => {
    const subject = await startBalanced({ name, count, redisPort: redis.port });
    if (subject === undefined) progress('haproxy is not installed: nothing is measured behind it');
    return subject;
  };
  const rows = await runCases(createBalancedCases(count), ['floor', 'gsls-redis'], start, redis);
  await redis.stop();
  return rows;
}

/** What is measured on a Redis of its own; nothing where there is none. */
async function onRedis<T>(name: string, measure: (redis: RunningRedis) => Promise<T[]>): Promise<T[]> {
  if (!isWanted({ name })) return [];
  progress(name);
  const redis = await startRedis();
  if (redis === undefined) return [];
  const measured = await measure(redis);
  await redis.stop();
  return measured;
}

async function measureCost(redis: RunningRedis, count: number): Promise<Extra[]> {
  const { registry, close } = await openRegistry(redis.port);
  const listed = await fill(registry, count);
  const costs = await measureRedisTime(redis, registry, listed);
  await close();
  return [...costs, ...(await measureJoin(redis, count))];
}

const rows: Row[] = [];
const extras: Extra[] = [];
for (const count of counts) {
  rows.push(...(await runCount(count)));
  if (count === BALANCED_COUNT) rows.push(...(await runBalanced(count)));
  extras.push(...(await onRedis(OTHERS.cost, (redis) => measureCost(redis, count))));
}
for (const [cases, ours] of [
  [createPathCases(PATHS_COUNT), 'gsls-koa'],
  [createLimitedCases(PATHS_COUNT), 'gsls-limited'],
  [createUnmeasuredCases(PATHS_COUNT), 'gsls-unmeasured'],
] as const)
  rows.push(
    ...(await runCases(cases, ['floor', 'gsls-memory', ours], (name) =>
      startSubject({ name, count: PATHS_COUNT }),
    )),
  );
const feed: FeedLine[] = await onRedis(OTHERS.feed, (redis) => measureFeed(redis, seconds));
if (isWanted({ name: OTHERS.churn })) {
  progress(OTHERS.churn);
  const redis = await startRedis();
  extras.push(...(await measureChurn(redis)));
  await redis?.stop();
}

const [cpu] = cpus();
const results: Results = {
  machine: {
    cpus: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadTool,
  },
  rounds,
  seconds,
  rows,
  extras,
  feed,
};
process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : printTable(results));
