/**
 * `npm run bench -- requests`: every case on the floor and on us in turn, several rounds, medians. Machines are shared
 * and noisy, so what counts is the ratio to the floor of the same run. bench/RESULTS.md keeps the last results.
 */

import { cpus, totalmem } from 'node:os';
import { createCases, type Case } from './cases.ts';
import { fill, openListedRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { startRedis, type RunningRedis } from '../support/processes.ts';
import { printResult } from '../support/table.ts';
import { startSubject, type RunningSubject } from './subject-processes.ts';
import { measureJoin } from '../redis/join-cost.ts';
import type { Extra, Results, Row } from './results.ts';
import { runCase } from './run-case.ts';
import type { SubjectName } from './subjects.ts';
import { printTable } from './print-results.ts';
import { isQuoted, QUOTED_COUNT, writeFigures } from './readme.ts';

/** What is no case, for --only. */
const JOIN = 'join of a replica';

const options = readOptions('requests', {
  counts: ['100,1000,10000,100000', 'how many game servers are listed'],
  only: ['', `the cases whose name contains this; what is no case: ${JOIN}`],
  rounds: [5, 'of each case, of which the median counts'],
  seconds: [2, 'each measurement lasts'],
  json: [false, 'for programs'],
  readme: [false, 'writes what the README quotes, and runs that alone'],
});
const { rounds, seconds } = options;
const counts = options.readme ? [QUOTED_COUNT] : options.counts.split(',').map(Number);

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function isWanted({ name }: { readonly name: string }): boolean {
  return options.readme ? isQuoted(name) : name.includes(options.only);
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
  return onRedis((redis) =>
    runCases(createCases(count), (name) => startSubject({ name, count, redisPort: redis.port }), redis),
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
  if (!isWanted({ name: JOIN })) continue;
  progress(JOIN);
  extras.push(...(await onRedis((redis) => measureJoining(redis, count))));
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
};
printResult(options.json, results, () => printTable(results));
if (options.readme) writeFigures(results);
