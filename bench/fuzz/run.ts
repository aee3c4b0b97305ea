/**
 * `npm run bench:fuzz`: odd, broken and pipelined requests at a real process that logs everything, once in JSON and
 * once for people, and a few well-behaved game servers beside them. Says what was answered, how long the well-behaved
 * waited, and whether a byte that no log should have reached it.
 */

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_KEY } from '../../test/support/fuzz-requests.ts';
import { openRawConnection } from '../../test/support/raw-connection.ts';
import { startSenders } from '../spam/start-senders.ts';
import { summarize, type Durations } from '../support/histogram.ts';
import { readOptions } from '../support/options.ts';
import { HOST, startService } from '../support/processes.ts';
import { printResult, tableOf, type Column } from '../support/table.ts';
import { readUsage } from '../support/usage.ts';
import { sendOddRequests } from './send-odd-requests.ts';

const { requests, seed, connections, json } = readOptions('bench:fuzz', {
  requests: [100_000, 'in all, half of them for each form of the log'],
  seed: [1, 'the same requests for the same seed'],
  connections: [16, 'at a time'],
  json: [false, 'for programs'],
});

const MIB = 2 ** 20;
/** The well-behaved game servers, which ping once a second. */
const HONEST = 50;
/** No answer takes so long. */
const HANGING_MS = 10_000;
/** What no line of a log may hold: control characters, and what turns the direction of text. */
const NO_LOG_TEXT = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** A status that the service chooses to give. */
const DELIBERATE = [503, 505];

interface FuzzRun {
  readonly format: string;
  readonly requests: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly defects: readonly string[];
  readonly pings: Durations;
  readonly refusedPings: number;
  readonly logLines: number;
  readonly rssMiB: number;
}

async function fuzz(format: 'json' | 'pretty', most: number, firstSeed: number): Promise<FuzzRun> {
  const directory = await mkdtemp(join(tmpdir(), 'gsls-fuzz-'));
  const logFile = join(directory, 'log');
  const flags = ['--log-level=debug', `--log-format=${format}`, `--admin-key=${ADMIN_KEY}`];
  const service = await startService({
    flags: [...flags, '--unique-address', '--trust-proxy=loopback'],
    log: logFile,
  });
  const { url, port } = service;
  const honest = await startSenders({
    host: HOST,
    ports: [port],
    broadcasting: 8,
    pingIntervalMs: 1000,
    name: 'honest',
    addresses: HONEST,
    firstAddress: 0,
    isPatient: true,
  });
  await honest.broadcast(HONEST);
  while ((await honest.report()).listed < HONEST) await delay(50);

  const statuses: Record<string, number> = {};
  const defects: string[] = [];
  const noteStatus = (status: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status >= 500 && !DELIBERATE.includes(status)) defects.push(`an answer with ${status}`);
  };
  let next = 0;
  const isOver = (): boolean => next >= most || service.hasEnded;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const connection = await openRawConnection({ url });
      const limit = setTimeout(() => {
        defects.push(`requests up to seed ${firstSeed + next}: no answer within ${HANGING_MS} ms`);
        connection.destroy();
      }, HANGING_MS);
      await sendOddRequests(connection, firstSeed + next, (count) => (next += count), noteStatus);
      clearTimeout(limit);
      connection.destroy();
    }
  };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () =>
      work().catch((error: unknown) => void defects.push(String(error))),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { pings, refusals } = await honest.report();
  await honest.end();
  const rssMiB = service.hasEnded ? 0 : readUsage(service.pid!).rssBytes / MIB;
  const exitCode = await service.stop('SIGTERM');
  if (exitCode !== 0) defects.push(`the process ended with ${String(exitCode)}`);
  const lines = readFileSync(logFile, 'utf8').split('\n');
  defects.push(
    ...lines.filter((line) => NO_LOG_TEXT.test(line)).map((line) => `in the log: ${JSON.stringify(line)}`),
  );
  defects.push(...lines.filter(isError).map((line) => `in the log: ${line}`));
  await rm(directory, { recursive: true });
  const refusedPings = [...refusals.values()].reduce((sum, count) => sum + count, 0);
  return {
    format,
    requests: next,
    seconds,
    statuses,
    defects,
    pings: summarize(pings),
    refusedPings,
    logLines: lines.length,
    rssMiB,
  };
}

/** Whether the line tells of a failure: no request may cause one. */
function isError(line: string): boolean {
  return /"level":[56]0|^\[[\d:]+\] (ERROR|FATAL)/.test(line);
}

const MOST_SHOWN = 10;

const COLUMNS: readonly Column<FuzzRun>[] = [
  ['log', ({ format }) => format],
  ['requests', (run) => run.requests],
  ['s', ({ seconds }) => seconds.toFixed(0)],
  [
    'answers by status',
    ({ statuses }) =>
      Object.entries(statuses)
        .map((each) => each.join(': '))
        .join(', '),
  ],
  ['well-behaved pings', ({ pings }) => pings.count],
  [
    'p50 / p99 / max ms',
    ({ pings }) => [pings.p50Ms, pings.p99Ms, pings.maxMs].map((ms) => ms.toFixed(1)).join(' / '),
  ],
  ['failed', ({ refusedPings }) => refusedPings],
  ['log lines', ({ logLines }) => logLines],
  ['RSS MiB', ({ rssMiB }) => rssMiB.toFixed(0)],
  ['defects', ({ defects }) => defects.length],
];

const half = Math.ceil(requests / 2);
const runs = [
  await fuzz('json', half, seed * 1_000_000),
  await fuzz('pretty', half, seed * 1_000_000 + half),
];
printResult(json, runs, () =>
  [...tableOf(runs, COLUMNS), ...runs.flatMap(({ defects }) => defects.slice(0, MOST_SHOWN)), ''].join('\n'),
);
process.exit(runs.every(({ defects }) => defects.length === 0) ? 0 : 1);
