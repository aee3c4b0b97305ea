/**
 * `npm run bench`: every case on the floor and on us in turn, several rounds, medians. Machines are shared and
 * noisy, so what counts is the ratio to the floor of the same run. bench/RESULTS.md keeps the last results.
 */

import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { createBalancedCases, createCases, type Case } from './cases.ts';
import { measureChurn } from './churn.ts';
import { runLoad, loadTool } from './load.ts';
import { measureJoin, measureRedisTime, type Extra } from './redis-cost.ts';
import {
  startBalanced,
  startChurn,
  startRedis,
  startSubject,
  type RunningRedis,
  type RunningSubject,
} from './processes.ts';
import type { Measurement, Results, Row } from './results.ts';
import type { SubjectName } from './subjects.ts';
import { printTable } from './table.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    counts: { type: 'string', default: '100,1000,10000,100000' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  process.stdout.write(`npm run bench -- [options]
  --counts 100,10000   how many game servers are listed
  --only ping          the cases whose name contains this
  --rounds 3           of each case, of which the median counts
  --seconds 2          each measurement lasts
  --json               for programs
`);
  process.exit(0);
}

const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const counts = options.counts.split(',').map(Number);

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

async function measure(each: Case, subject: RunningSubject): Promise<Measurement> {
  const stopChurn = await startChurn(subject.url, each.churn(subject.listed), each.churnPerSecond);
  const requests = await each.requests(subject);
  const before = await subject.usage();
  const result = await runLoad({
    url: subject.url,
    requests,
    seconds: seconds * each.duration,
    connections: each.connections,
  });
  const after = await subject.usage();
  await stopChurn();
  return {
    requestsPerSecond: result.requests / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuUs: (after.cpuUs - before.cpuUs) / result.requests,
    errors: result.errors,
  };
}

function medianOf(measurements: readonly Measurement[]): Measurement {
  const of = (key: keyof Measurement): number => median(measurements.map((each) => each[key]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuUs: of('cpuUs'),
    errors: of('errors'),
  };
}

async function runCase(each: Case, running: ReadonlyMap<SubjectName, RunningSubject>): Promise<Row[]> {
  const subjects = each.subjects.flatMap((name) => running.get(name) ?? []);
  const measured = new Map(subjects.map((subject) => [subject.options.name, [] as Measurement[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of subjects) {
      progress(
        `${each.name}, ${each.count} servers, ${subject.options.name}, round ${round + 1} of ${rounds}`,
      );
      measured.get(subject.options.name)!.push(await measure(each, subject));
    }
  }
  const floor = medianOf(measured.get('floor')!);
  return subjects.map(({ options: { name: subject } }) => {
    const result = medianOf(measured.get(subject)!);
    const ratio = {
      requestsPerSecond: result.requestsPerSecond / floor.requestsPerSecond,
      p99: result.p99Ms / floor.p99Ms,
      cpu: result.cpuUs / floor.cpuUs,
    };
    const goal = subject.startsWith('gsls') ? each.goals[subject as 'gsls-memory' | 'gsls-redis'] : undefined;
    return {
      name: each.name,
      count: each.count,
      subject,
      ...result,
      ratio,
      ...(goal && { goal: goal.text, isReached: goal.isReached(ratio) }),
    };
  });
}

async function startSubjects(
  count: number,
  redis: RunningRedis | undefined,
): Promise<Map<SubjectName, RunningSubject>> {
  const names: SubjectName[] = ['floor', 'gsls-memory', 'rival-stringify'];
  if (redis !== undefined) names.push('gsls-redis', 'rival-hgetall');
  const running = new Map<SubjectName, RunningSubject>();
  for (const name of names) {
    progress(`filling ${name} with ${count} servers`);
    running.set(name, await startSubject({ name, count, ...(redis && { redisPort: redis.port }) }));
  }
  return running;
}

/** The number of game servers with which three replicas are measured as well. */
const BALANCED_COUNT = 10_000;

async function runBalanced(redis: RunningRedis): Promise<Row[]> {
  const cases = createBalancedCases(BALANCED_COUNT).filter(({ name }) => name.includes(options.only));
  if (cases.length === 0) return [];
  const running = new Map<SubjectName, RunningSubject>();
  for (const name of ['floor', 'gsls-redis'] as const) {
    progress(`starting three of ${name} behind HAProxy`);
    const subject = await startBalanced({ name, count: BALANCED_COUNT, redisPort: redis.port });
    if (subject === undefined) {
      progress('haproxy is not installed: nothing is measured behind it');
      break;
    }
    running.set(name, subject);
  }
  const measured: Row[] = [];
  if (running.size === 2) for (const each of cases) measured.push(...(await runCase(each, running)));
  for (const subject of running.values()) await subject.stop();
  return measured;
}

const rows: Row[] = [];
const extras: Extra[] = [];
for (const count of counts) {
  const cases = createCases(count).filter(({ name }) => name.includes(options.only));
  const redis = await startRedis();
  if (redis === undefined) progress('redis-server is not installed: nothing is measured on Redis');
  const running = await startSubjects(count, redis);
  for (const each of cases) rows.push(...(await runCase(each, running)));
  const gsls = running.get('gsls-redis');
  if (redis !== undefined && gsls !== undefined && options.only === '') {
    progress(`what Redis spends, ${count} servers`);
    for (const subject of running.values()) await subject.stop();
    extras.push(...(await measureRedisTime(redis, gsls.listed, count)), ...(await measureJoin(redis, count)));
  }
  for (const subject of running.values()) await subject.stop();
  if (redis !== undefined && count === BALANCED_COUNT) {
    await redis.client.flushall();
    rows.push(...(await runBalanced(redis)));
  }
  await redis?.stop();
}

if (options.only === '') {
  progress('an hour of churn, simulated');
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
};
process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : printTable(results));
