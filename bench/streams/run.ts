/**
 * `npm run bench:streams`: many clients that follow the list by streams of events, at one replica on Redis, while the
 * list changes: what the replica uses of a core, and how long its event loop stands. The changes are written by another
 * process, so that what they cost is the following of them alone.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { changeSteadily, fill, openListedRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { startRedis, startService, Worker, type Service } from '../support/processes.ts';
import { readUsage } from '../support/usage.ts';
import type { ReadersOrder, ReadersReport } from './stream-readers-process.ts';

const { streams, lagging, count, changes, seconds } = readOptions('bench:streams', {
  streams: [5000, 'clients, each with a connection: `ulimit -n` must allow so many, and a few more'],
  lagging: [50, 'of a further phase: clients that do not read, and come again when they are cut off'],
  count: [10_000, 'how many game servers are listed'],
  changes: [1000, 'a second'],
  seconds: [20, 'each phase lasts'],
});

const READER_PROCESSES = 2;
const SETTLE_MS = 5000;
const MIB = 2 ** 20;

async function startReaders(port: number, readers: number, ofLagging: number): Promise<Worker> {
  const worker = new Worker(new URL('stream-readers-process.ts', import.meta.url));
  await worker.ask({ port, readers, lagging: ofLagging } satisfies ReadersOrder);
  return worker;
}

function sum(all: readonly ReadersReport[], key: keyof ReadersReport): number {
  return all.reduce((total, report) => total + report[key], 0);
}

async function measure(what: string, replica: Service, readers: readonly Worker[]): Promise<void> {
  await delay(SETTLE_MS);
  const reports = (): Promise<ReadersReport[]> =>
    Promise.all(readers.map((each) => each.ask<ReadersReport>('report')));
  const before = await reports();
  await replica.probe('reset');
  const [from, at] = [readUsage(replica.pid!), performance.now()];
  await delay(1000 * seconds);
  const [to, ms] = [readUsage(replica.pid!), performance.now() - at];
  const { stallMs, busyMs, gcMs } = await replica.probe('reset');
  const after = await reports();
  const gained = (key: keyof ReadersReport): number => sum(after, key) - sum(before, key);
  process.stdout.write(
    `${what}: ${((to.cpuUs - from.cpuUs) / ms / 10).toFixed(1)} % of a core, ` +
      `event loop stood for ${stallMs.toFixed(1)} ms at the longest (${busyMs.toFixed(1)} ms of it busy, ` +
      `longest collection of garbage ${gcMs.toFixed(1)} ms), ` +
      `${(gained('bytes') / MIB / (ms / 1000)).toFixed(0)} MiB/s, RSS ${(to.rssBytes / MIB).toFixed(0)} MiB, ` +
      `lost ${gained('lost')}, cut off ${gained('cutOff')}\n`,
  );
}

const redis = await startRedis();
const { registry } = await openListedRegistry(redis.port);
const listed = await fill(registry, count);
const replica = await startService({
  flags: [
    `--redis=redis://127.0.0.1:${redis.port}`,
    '--ttl=86400',
    `--max-streams=${10 * streams}`,
    `--max-streams-per-address=${10 * streams}`,
    '--log-level=warn',
  ],
  isProbed: true,
});
const { port } = replica;
changeSteadily(registry, listed, changes);
process.stdout.write(`${count} game servers, ${changes} changes/s, phases of ${seconds} s\n`);

await measure('no streams', replica, []);
const readers = await Promise.all(
  Array.from({ length: READER_PROCESSES }, () => startReaders(port, streams / READER_PROCESSES, 0)),
);
await measure(`${streams} streams`, replica, readers);
const laggards = await startReaders(port, 0, lagging);
await measure(`${streams} streams, and ${lagging} that lag`, replica, [...readers, laggards]);

await redis.stop();
process.exit(0);
