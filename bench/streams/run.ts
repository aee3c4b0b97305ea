/**
 * `npm run bench:streams`: many clients that follow the list by streams of events, at one replica on Redis, while the list
 * changes: what the replica uses of a core, and how long its event loop stands. The changes are written by another
 * process, so that what they cost is the following of them alone.
 */

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { fill, openRegistry } from '../support/open-registry.ts';
import { freePort, startRedis } from '../support/processes.ts';
import { readUsage } from '../support/usage.ts';
import { gameServerNumber, type Listed } from '../support/requests.ts';
import type { ReadersOrder, ReadersReport } from './stream-readers-process.ts';

const { values: options } = parseArgs({
  options: {
    streams: { type: 'string', default: '5000' },
    lagging: { type: 'string', default: '50' },
    count: { type: 'string', default: '10000' },
    changes: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  process.stdout.write(`npm run bench:streams -- [options]
  --streams 5000    clients, each with a connection: \`ulimit -n\` must allow so many, and a few more
  --lagging 50      of a further phase: clients that do not read, and come again when they are cut off
  --count 10000     how many game servers are listed
  --changes 1000    a second
  --seconds 20      each phase lasts
`);
  process.exit(0);
}

const [streams, lagging, count, changes, seconds] = [
  options.streams,
  options.lagging,
  options.count,
  options.changes,
  options.seconds,
].map(Number) as [number, number, number, number, number];

const READER_PROCESSES = 2;
const SETTLE_MS = 5000;
const TICK_MS = 5;
const MIB = 2 ** 20;

interface Probe {
  /** How long the event loop stood at the longest, and the part of it that was no wait for a core. */
  readonly stallMs: number;
  readonly busyMs: number;
  readonly gcMs: number;
}

function ask<T>(child: ChildProcess, order: ReadersOrder | 'report' | 'reset'): Promise<T> {
  child.send(order);
  return once(child, 'message').then(([answer]) => answer as T);
}

async function startReplica(redisPort: number): Promise<{ replica: ChildProcess; port: number }> {
  const port = await freePort();
  const [program, probe] = ['../../dist/cli.js', '../fleet/replica-probe.mjs'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  ) as [string, string];
  const replica = fork(program, {
    execArgv: ['--import', probe],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: String(port),
      GSLS_REDIS: `redis://127.0.0.1:${redisPort}`,
      GSLS_TTL: '86400',
      GSLS_MAX_STREAMS: String(10 * streams),
      GSLS_MAX_STREAMS_PER_ADDRESS: String(10 * streams),
      GSLS_LOG_LEVEL: 'warn',
    },
  });
  for (;;) {
    const health = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (health?.ok === true) return { replica, port };
    await delay(50);
  }
}

/** Keeps changing players, so many a second, by a registry of this process. */
function startChanges(registry: RedisRegistry, listed: readonly Listed[]): () => void {
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * changes;
    for (; sent < due; sent += 1) {
      const { id, n } = listed[(sent * 7919) % listed.length]!;
      const players = 1 + Math.floor(Math.random() * 1000);
      registry.ping(id, gameServerNumber(n, players)).catch(() => undefined);
    }
  }, TICK_MS);
  return () => clearInterval(timer);
}

async function startReaders(port: number, readers: number, ofLagging: number): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('stream-readers-process.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx/esm'] });
  await ask(child, { port, readers, lagging: ofLagging });
  return child;
}

function sum(all: readonly ReadersReport[], key: keyof ReadersReport): number {
  return all.reduce((total, report) => total + report[key], 0);
}

async function measure(what: string, replica: ChildProcess, readers: readonly ChildProcess[]): Promise<void> {
  await delay(SETTLE_MS);
  const reports = (): Promise<ReadersReport[]> =>
    Promise.all(readers.map((each) => ask<ReadersReport>(each, 'report')));
  const before = await reports();
  await ask<Probe>(replica, 'reset');
  const [from, at] = [readUsage(replica.pid!), performance.now()];
  await delay(1000 * seconds);
  const [to, ms] = [readUsage(replica.pid!), performance.now() - at];
  const { stallMs, busyMs, gcMs } = await ask<Probe>(replica, 'reset');
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
if (redis === undefined) throw new Error('there is no redis-server');
const { registry, close } = await openRegistry(redis.port);
const listed = await fill(registry, count);
const { replica, port } = await startReplica(redis.port);
const stopChanges = startChanges(registry, listed);
process.stdout.write(`${count} game servers, ${changes} changes/s, phases of ${seconds} s\n`);

await measure('no streams', replica, []);
const readers = await Promise.all(
  Array.from({ length: READER_PROCESSES }, () => startReaders(port, streams / READER_PROCESSES, 0)),
);
await measure(`${streams} streams`, replica, readers);
const laggards = await startReaders(port, 0, lagging);
await measure(`${streams} streams, and ${lagging} that lag`, replica, [...readers, laggards]);

stopChanges();
for (const child of [...readers, laggards, replica]) child.kill('SIGKILL');
await close();
await redis.stop();
process.exit(0);
