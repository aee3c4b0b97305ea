/**
 * `npm run bench:watch`: what `gsls watch` takes in a terminal while a long list changes, beside a process that only
 * reads the same stream into a map. Needs tmux, and /proc.
 */

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Terminal } from '../../test/support/terminal.ts';
import { readOptions } from '../support/options.ts';
import { printResult, tableOf } from '../support/table.ts';
import { readPreciseCpuUs, readUsage } from '../support/usage.ts';

const { servers, changes, duration, json } = readOptions('bench:watch', {
  servers: [10_000, 'that are listed'],
  changes: [1000, 'a second, told once a second'],
  duration: [30, 's of the measurement'],
  json: [false, 'for programs'],
});

const MOST_CPU_PERCENT = 20;
const MOST_RSS_MB = 120;
/** Until the whole list is shown, and the code is warm. */
const SETTLE_MS = 5000;
const SIZE = { columns: 120, rows: 40 };

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const service = fork(fileOf('stream-process.ts'), [String(servers), String(changes)], {
  execArgv: ['--import', import.meta.resolve('tsx/esm')],
});
const [port] = (await once(service, 'message')) as [number];
const url = `http://127.0.0.1:${port}`;
const floor = spawn(process.execPath, [fileOf('floor-process.mjs'), `${url}/changes`], { stdio: 'ignore' });
const terminal = new Terminal(['watch', url], SIZE);

interface Row {
  readonly name: string;
  readonly cpuPercent: number;
  readonly rssMb: number;
}

try {
  await terminal.sees(new RegExp(`^${servers} servers`, 'm'));
  await delay(SETTLE_MS);
  const pids = { floor: floor.pid!, 'gsls watch': terminal.pid };
  const before = Object.values(pids).map(readPreciseCpuUs);
  const most = Object.values(pids).map(() => 0);
  for (let second = 0; second < duration; second += 1) {
    await delay(1000);
    for (const [index, pid] of Object.values(pids).entries())
      most[index] = Math.max(most[index]!, readUsage(pid).rssBytes);
  }
  const rows = Object.entries(pids).map(([name, pid], index): Row => ({
    name,
    cpuPercent: (readPreciseCpuUs(pid) - before[index]!) / (duration * 1e4),
    rssMb: most[index]! / 1e6,
  }));
  const [least, watch] = rows as [Row, Row];
  const goal = watch.cpuPercent <= MOST_CPU_PERCENT && watch.rssMb <= MOST_RSS_MB ? 'met' : 'MISSED';
  printResult(json, { servers, changes, rows }, () =>
    [
      `${servers} servers, ${changes} changes a second, ${duration} s`,
      '',
      ...tableOf(rows, [
        ['', ({ name }) => name],
        ['of a core', ({ cpuPercent }) => `${cpuPercent.toFixed(1)} %`],
        ['× floor', ({ cpuPercent }) => (cpuPercent / least.cpuPercent).toFixed(1)],
        ['memory at the most', ({ rssMb }) => `${rssMb.toFixed(0)} MB`],
      ]),
      '',
      `goal of ${MOST_CPU_PERCENT} % and ${MOST_RSS_MB} MB: ${goal}`,
      '',
    ].join('\n'),
  );
} finally {
  terminal.close();
  floor.kill('SIGKILL');
  service.kill('SIGKILL');
}
