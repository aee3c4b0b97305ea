/**
 * `npm run bench:workers`: what two workers (--workers 2) cost beside one process, in CPU a request and in memory.
 * Rounds alternate between the two services, which share a Redis and have a registry each. The CPU is that of all
 * processes of a service, the primary included.
 */

import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { startRedisServer } from '../../test/support/redis-server.ts';
import { childrenOf } from '../../test/support/children-of.ts';
import { runLoad } from '../support/load.ts';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { startService, type Service } from '../support/processes.ts';
import { broadcasts, listRequest, unchangedPings, type Request } from '../support/requests.ts';
import { readPreciseCpuUs, readUsage } from '../support/usage.ts';

const { seconds, count, rounds, pin } = readOptions('bench:workers', {
  seconds: [3, 'each measurement lasts'],
  count: [10_000, 'how many game servers are listed'],
  rounds: [5, 'of all measurements'],
  pin: [false, 'holds each service back on the first core, so that it is never short of requests (Linux)'],
});

/** Of each process that answers: fewer that wait at a time cost more each, however many processes there are. */
const CONNECTIONS = 64;
/** Until game servers that were just listed are in every copy. */
const SETTLING_MS = 2000;

interface Subject {
  readonly name: string;
  readonly service: Service;
  readonly connections: number;
  readonly pids: () => readonly number[];
  readonly cases: Readonly<Record<string, readonly Request[]>>;
}

const redis = await startRedisServer();
const subjects = [await start('one process', 1), await start('two workers', 2)];
const costs = new Map<string, number[]>();
for (let round = 0; round <= rounds; round += 1)
  for (const name of Object.keys(subjects[0]!.cases))
    for (const subject of subjects) {
      const us = await measure(subject, subject.cases[name]!);
      // The first round warms up.
      if (round > 0)
        costs.set(`${subject.name}: ${name}`, [...(costs.get(`${subject.name}: ${name}`) ?? []), us]);
    }

for (const name of Object.keys(subjects[0]!.cases)) {
  const [one, two] = subjects.map((subject) => median(costs.get(`${subject.name}: ${name}`)!)) as [
    number,
    number,
  ];
  print(
    `${name}: ${one.toFixed(1)} µs of CPU in one process, ${two.toFixed(1)} in two workers; requests per CPU-second ${(one / two).toFixed(2)} x`,
  );
}
for (const { name, pids } of subjects)
  print(
    `${name}: memory of its processes ${pids()
      .map((pid) => `${Math.round(readUsage(pid).rssBytes / 1e6)} MB`)
      .join(', ')}`,
  );
await Promise.all(subjects.map(({ service }) => service.stop()));
await redis.stop();
process.exit(0);

async function start(name: string, workers: number): Promise<Subject> {
  const flags = [`--redis=${redis.url}`, `--registry=w${workers}`, `--workers=${workers}`, '--ttl=3600'];
  const service = await startService({ flags });
  await runLoad({
    url: service.url,
    requests: broadcasts(count),
    seconds: 600,
    connections: CONNECTIONS,
    count,
  });
  await delay(SETTLING_MS);
  const response = await fetch(service.url);
  const { servers } = (await response.json()) as { servers: readonly { id: string; name: string }[] };
  const listed = servers.map(({ id, name: of }) => ({ id, n: Number(/\d+/.exec(of)![0]) }));
  const pid = service.pid!;
  if (pin) for (const each of [pid, ...childrenOf(pid)]) holdBack(each);
  return {
    name,
    service,
    connections: workers * CONNECTIONS,
    pids: () => [pid, ...childrenOf(pid)],
    cases: {
      'list, 304': [listRequest({ 'If-None-Match': response.headers.get('etag')! })],
      'ping, unchanged': unchangedPings(listed),
    },
  };
}

/** On one core, and after the load and Redis: so it always has requests that wait. */
function holdBack(pid: number): void {
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)]);
  execFileSync('renice', ['--priority', '5', '--pid', String(pid)]);
}

/** µs of CPU a request. */
async function measure(
  { service, connections, pids }: Subject,
  requests: readonly Request[],
): Promise<number> {
  const used = (): number => pids().reduce((sum, pid) => sum + readPreciseCpuUs(pid), 0);
  const before = used();
  const result = await runLoad({ url: service.url, requests, seconds, connections });
  if (result.errors > result.requests / 1000) throw new Error(`${result.errors} requests failed`);
  return (used() - before) / result.requests;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
