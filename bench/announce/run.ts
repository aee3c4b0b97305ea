/**
 * `npm run bench:announce`: what `gsls announce` takes of a core and of memory for many game servers before one
 * service, against bare sockets that send as many datagrams and requests.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { end, startService, Worker } from '../support/processes.ts';
import { printResult, tableOf } from '../support/table.ts';
import { readPreciseCpuUs, readUsage } from '../support/usage.ts';
import type { FloorOrder } from './floor-process.ts';
import type { GamesOrder } from './games-process.ts';

const options = readOptions('bench:announce', {
  servers: [1000, 'game servers'],
  interval: [5, 's between two looks at each'],
  ttl: [60, 's of the service; each pings three times as often'],
  seconds: [20, 'each measurement lasts'],
  rounds: [3, 'of each in turn, of which the medians count'],
  json: [false, 'for programs'],
});

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const PING_INTERVAL_MS = (1000 * options.ttl) / 3;
const POLL_MS = 100;
const MIB = 2 ** 20;

interface Measured {
  readonly subject: string;
  readonly cpuShare: number;
  readonly rssMiB: number;
}

const folder = mkdtempSync(join(tmpdir(), 'gsls-'));
const service = await startService({ flags: ['--log-level=error', `--ttl=${options.ttl}`] });
const games = new Worker(new URL('games-process.ts', import.meta.url));
const ports = await games.ask<readonly number[]>({ count: options.servers } satisfies GamesOrder);

async function countListed(): Promise<number> {
  const { total } = (await (await fetch(`${service.url}/servers?limit=1`)).json()) as { total: number };
  return total;
}

async function startSidecar(): Promise<ChildProcess> {
  const path = join(folder, 'servers.json');
  const servers = ports.map((port) => ({ query: `a2s 127.0.0.1:${port}` }));
  writeFileSync(path, JSON.stringify({ to: service.url, 'query-interval': options.interval, servers }));
  const args = [PROGRAM, 'announce', '--config', path, '--token-dir', join(folder, 'tokens')];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  while ((await countListed()) < options.servers) await delay(POLL_MS);
  // From the first ping on they are spread over the interval.
  await delay(PING_INTERVAL_MS);
  return child;
}

async function measure(subject: string, pid: number): Promise<Measured> {
  const [cpuUs, from] = [readPreciseCpuUs(pid), performance.now()];
  await delay(1000 * options.seconds);
  const seconds = (performance.now() - from) / 1000;
  const cpuShare = (readPreciseCpuUs(pid) - cpuUs) / seconds / 1e6;
  return { subject, cpuShare, rssMiB: readUsage(pid).rssBytes / MIB };
}

const sidecar = await startSidecar();
const floor = new Worker(new URL('floor-process.ts', import.meta.url));
const measured: Measured[] = [];
for (let round = 0; round < options.rounds; round += 1)
  measured.push(await measure('gsls announce', sidecar.pid!));
const listed = await countListed();
const leaving = performance.now();
await end(sidecar, 'SIGTERM');
const leftWithinMs = performance.now() - leaving;
const leftBehind = await countListed();
await floor.ask({
  url: service.url,
  ports,
  queryIntervalMs: 1000 * options.interval,
  pingIntervalMs: PING_INTERVAL_MS,
} satisfies FloorOrder);
for (let round = 0; round < options.rounds; round += 1) measured.push(await measure('floor', floor.pid));

const rows = ['floor', 'gsls announce'].map((subject) => {
  const own = measured.filter((each) => each.subject === subject);
  return {
    subject,
    cpuShare: median(own.map(({ cpuShare }) => cpuShare)),
    rssMiB: own.map(({ rssMiB }) => rssMiB),
  };
});
const ratio = rows[1]!.cpuShare / rows[0]!.cpuShare;
const result = { options, rows, ratio, listed, leftWithinMs, leftBehind };
printResult(options.json, result, () =>
  [
    `${options.servers} game servers, each asked every ${options.interval} s and pinging every ${PING_INTERVAL_MS / 1000} s; medians of ${options.rounds} times ${options.seconds} s`,
    '',
    ...tableOf(rows, [
      ['subject', ({ subject }) => subject],
      ['CPU, % of a core', ({ cpuShare }) => (100 * cpuShare).toFixed(1)],
      ['× CPU', ({ cpuShare }) => (cpuShare / rows[0]!.cpuShare).toFixed(2)],
      ['memory, MiB, each time', ({ rssMiB }) => rssMiB.map((each) => each.toFixed(0)).join(', ')],
    ]),
    '',
    `${listed} of them were listed; at SIGTERM they left within ${Math.round(leftWithinMs)} ms, all but ${leftBehind}.`,
    '',
  ].join('\n'),
);
rmSync(folder, { recursive: true, force: true });
process.exit(listed === options.servers ? 0 : 1);
