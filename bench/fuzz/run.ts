/**
 * `npm run bench:fuzz`: odd, broken and pipelined requests at a real process that logs everything, once in JSON and once
 * for people, and a few well-behaved game servers beside them. Says what was answered, how long the well-behaved
 * waited, and whether a byte that no log should have reached it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { ADMIN_KEY, createFuzzRequest, createRandom } from '../../test/support/fuzz-requests.ts';
import { openRawConnection, type RawConnection } from '../../test/support/raw-connection.ts';
import { summarize, type Durations } from '../support/histogram.ts';
import { readUsage } from '../support/usage.ts';
import { startSenders } from '../spam/start-senders.ts';
import { markdownTable } from '../support/table.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    connections: { type: 'string', default: '16' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(`npm run bench:fuzz -- [options]
  --requests 100000   in all, half of them for each form of the log
  --seed 1            the same requests for the same seed
  --connections 16    at a time
  --json              for programs
`);
  process.exit(0);
}

const HOST = '127.0.0.1';
const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const MIB = 2 ** 20;
/** The well-behaved game servers, which ping once a second. */
const HONEST = 50;
/** Of one connection without waiting. */
const MOST_PIPELINED = 6;
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

async function fuzz(format: 'json' | 'pretty', requests: number, firstSeed: number): Promise<FuzzRun> {
  const directory = await mkdtemp(join(tmpdir(), 'gsls-fuzz-'));
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const logFile = join(directory, 'log');
  const log = openSync(logFile, 'a');
  const flags = [`--port=${port}`, `--host=${HOST}`, '--log-level=debug', `--log-format=${format}`];
  const more = ['--unique-address', '--trust-proxy=loopback', `--admin-key=${ADMIN_KEY}`];
  const service = spawn(process.execPath, [PROGRAM, ...flags, ...more], { stdio: ['ignore', log, log] });
  closeSync(log);
  const endWithUs = (): void => void service.kill('SIGKILL');
  process.once('exit', endWithUs);
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (service.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8'));
    await delay(50);
  }
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
  const isOver = (): boolean => next >= requests || service.exitCode !== null;
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const connection = await openRawConnection({ url });
      const limit = setTimeout(() => {
        defects.push(`requests up to seed ${firstSeed + next}: no answer within ${HANGING_MS} ms`);
        connection.destroy();
      }, HANGING_MS);
      await sendSome(connection, firstSeed + next, (count) => (next += count), noteStatus);
      clearTimeout(limit);
      connection.destroy();
    }
  };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: Number(values.connections) }, () =>
      work().catch((error: unknown) => void defects.push(String(error))),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { pings, refusals } = await honest.report();
  honest.end();
  const rssMiB = service.exitCode === null ? readUsage(service.pid!).rssBytes / MIB : 0;
  if (service.exitCode !== null) defects.push(`the process ended with ${service.exitCode}`);
  else {
    service.kill('SIGTERM');
    await once(service, 'exit');
    if (service.exitCode !== 0) defects.push(`the process ended with ${String(service.exitCode)}`);
  }
  process.off('exit', endWithUs);
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

/** Some requests without waiting in between; sometimes the connection breaks before their answers. */
async function sendSome(
  connection: RawConnection,
  seed: number,
  count: (requests: number) => void,
  noteStatus: (status: number) => void,
): Promise<void> {
  const random = createRandom(seed);
  const batch = Array.from({ length: 1 + Math.floor(random() * MOST_PIPELINED) }, (_, n) =>
    createFuzzRequest(seed + n),
  );
  // What follows a request without a clear end may be taken for its body.
  const end = batch.findIndex(({ complete }) => !complete);
  const sent = end === -1 ? batch : batch.slice(0, end + 1);
  count(sent.length);
  const bytes = Buffer.concat(sent.map((request) => request.bytes));
  if (random() < 0.1) {
    connection.send(bytes.subarray(0, Math.floor(random() * bytes.length)));
    await delay(1);
    connection.socket.resetAndDestroy();
    return;
  }
  connection.send(bytes);
  if (end !== -1) connection.socket.end();
  for (const { complete, method } of sent) {
    const answer = await finalAnswer(connection, method, noteStatus);
    if (answer === undefined || answer.headers['connection'] === 'close') return;
    // Bytes without a clear end may get any number of answers.
    if (!complete) while ((await finalAnswer(connection, 'other', noteStatus)) !== undefined);
  }
}

/** Undefined when the connection ends. */
async function finalAnswer(
  connection: RawConnection,
  method: 'HEAD' | 'other',
  noteStatus: (status: number) => void,
): ReturnType<RawConnection['answerOrEnd']> {
  for (;;) {
    const answer = await connection.answerOrEnd(method);
    if (answer === undefined) return undefined;
    if (answer.status < 200) continue;
    noteStatus(answer.status);
    return answer;
  }
}

const half = Math.ceil(Number(values.requests) / 2);
const runs = [
  await fuzz('json', half, Number(values.seed) * 1_000_000),
  await fuzz('pretty', half, Number(values.seed) * 1_000_000 + half),
];
const MOST_SHOWN = 10;
if (values.json) process.stdout.write(`${JSON.stringify(runs, null, 2)}\n`);
else
  process.stdout.write(
    [
      ...markdownTable(
        [
          'log',
          'requests',
          's',
          'answers by status',
          'well-behaved pings',
          'p50 / p99 / max ms',
          'failed',
          'log lines',
          'RSS MiB',
          'defects',
        ],
        runs.map(
          ({ format, requests, seconds, statuses, pings, refusedPings, logLines, rssMiB, defects }) => [
            format,
            String(requests),
            seconds.toFixed(0),
            Object.entries(statuses)
              .map(([status, count]) => `${status}: ${count}`)
              .join(', '),
            String(pings.count),
            [pings.p50Ms, pings.p99Ms, pings.maxMs].map((ms) => ms.toFixed(1)).join(' / '),
            String(refusedPings),
            String(logLines),
            rssMiB.toFixed(0),
            String(defects.length),
          ],
        ),
      ),
      ...runs.flatMap(({ defects }) => defects.slice(0, MOST_SHOWN)),
      '',
    ].join('\n'),
  );
process.exit(runs.every(({ defects }) => defects.length === 0) ? 0 : 1);
