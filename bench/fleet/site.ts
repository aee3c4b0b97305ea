/**
 * The processes that a fleet measures: a real Redis, replicas of the built program, and HAProxy with the configuration
 * we ship, where it is installed. Knows nothing of the load.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.ts';
import { has } from '../../test/support/needs.ts';
import { startRedisServer, type RedisServer } from '../../test/support/redis-server.ts';

export const HOST = '127.0.0.1';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROBE = new URL('replica-probe.mjs', import.meta.url).href;
const POLL_MS = 20;
const LONGEST_START_MS = 120_000;
const LAST_WORDS = 2000;
/** A slower command is noted, in µs. */
const SLOW_US = '1000';

/** What replica-probe.mjs tells. */
export interface ProbeReport {
  /** The longest time that the event loop stood, and the part of it in which the process used a core. */
  readonly stallMs: number;
  readonly busyMs: number;
  /** The longest collection of garbage. */
  readonly gcMs: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
}

const NOTHING_MEASURED: ProbeReport = { stallMs: 0, busyMs: 0, gcMs: 0, heapBytes: 0, rssBytes: 0 };

export interface Replica {
  readonly name: string;
  readonly port: number;
  readonly url: string;
  /** Another one after a restart; undefined before the first start. */
  readonly pid: number | undefined;
  /** Zeros before the first start. */
  probe(order: 'reset' | 'report' | 'collect'): Promise<ProbeReport>;
  /** How many it lists; undefined while it has no current list. */
  count(): Promise<number | undefined>;
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Resolves once it is healthy. */
  start(): Promise<void>;
}

export interface Site {
  readonly redis: RedisServer;
  readonly replicas: readonly Replica[];
  /** Known to HAProxy and not started. */
  readonly joiner: Replica;
  readonly haproxyPid: number | undefined;
  /** How often HAProxy took out a replica. */
  takenOut(): number;
  /** Where clients connect: HAProxy, or else the first replica. */
  readonly frontPort: number;
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly replicas: number;
  readonly ttlS: number;
  /** More flags of all replicas. */
  readonly flags?: readonly string[];
  /** Whether clients reach the replicas without HAProxy. */
  readonly isBare?: boolean;
}

export async function startSite({
  replicas: count,
  ttlS,
  flags = [],
  isBare = false,
}: SiteOptions): Promise<Site> {
  if (!has('redis-server')) throw new Error('redis-server is not installed: the fleet needs it');
  const directory = await mkdtemp(join(tmpdir(), 'gsls-fleet-'));
  const slow = ['--slowlog-log-slower-than', SLOW_US, '--slowlog-max-len', '1024'];
  const redis = await startRedisServer({ args: slow });
  const createOne = async (n: number): Promise<Replica> =>
    createReplica(
      `replica ${n}`,
      await freePort(),
      [`--redis=${redis.url}`, `--ttl=${ttlS}`, ...flags],
      directory,
    );
  const all: Replica[] = [];
  for (let n = 1; n <= count + 1; n += 1) all.push(await createOne(n));
  const [joiner, ...replicas] = all.toReversed() as [Replica, ...Replica[]];
  replicas.reverse();
  let haproxy:
    | { readonly pid: number; readonly port: number; readonly child: ChildProcess; readonly log: string }
    | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([
      ...all.map((replica) => replica.stop('SIGKILL')),
      haproxy && end(haproxy.child, 'SIGKILL'),
    ]);
    await redis.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    if (!isBare && has('haproxy')) haproxy = await startHaproxy(all, directory);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    redis,
    replicas,
    joiner,
    haproxyPid: haproxy?.pid,
    takenOut: () =>
      haproxy === undefined ? 0 : readFileSync(haproxy.log, 'utf8').split(/ is DOWN\b/).length - 1,
    frontPort: haproxy?.port ?? replicas[0]!.port,
    close,
  };
}

function createReplica(name: string, port: number, flags: readonly string[], directory: string): Replica {
  const url = `http://${HOST}:${port}`;
  const args = ['--import', PROBE, join(ROOT, 'dist/cli.js'), `--port=${port}`, `--host=${HOST}`, ...flags];
  const log = join(directory, name);
  let child: ChildProcess | undefined;
  const count = async (): Promise<number | undefined> => {
    const response = await fetch(`${url}/metrics`).catch(() => undefined);
    const metrics = (await response?.text()) ?? '';
    const valueOf = (metric: string): number =>
      Number(new RegExp(`^${metric} (.*)$`, 'm').exec(metrics)?.[1]);
    const isCurrent = valueOf('gsls_registry_available') === 1 && valueOf('gsls_list_stale_seconds') === 0;
    return isCurrent ? valueOf('gsls_game_servers') : undefined;
  };
  const isHealthy = async (): Promise<boolean> => {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status === 200;
  };
  return {
    name,
    port,
    url,
    get pid() {
      return child?.pid;
    },
    async probe(order) {
      if (child === undefined) return NOTHING_MEASURED;
      if (!child.connected) throw new Error(`${name} has ended: ${lastWords(log)}`);
      child.send(order);
      const [report] = (await once(child, 'message')) as [ProbeReport];
      return report;
    },
    count,
    async start() {
      child = startLogged(process.execPath, args, {}, log, true);
      const startedAt = performance.now();
      while (!(await isHealthy())) {
        if (child.exitCode !== null || performance.now() - startedAt > LONGEST_START_MS)
          throw new Error(`${name} does not start: ${lastWords(log)}`);
        await delay(POLL_MS);
      }
    },
    async stop(signal) {
      if (child !== undefined) await end(child, signal);
    },
  };
}

async function startHaproxy(replicas: readonly Replica[], directory: string) {
  const port = await freePort();
  const addresses = replicas.map((replica, i) => [`REPLICA_${i + 1}`, `${HOST}:${replica.port}`]);
  const environment = { LISTEN: `${HOST}:${port}`, GSLS_KEY: '', ...Object.fromEntries(addresses) };
  const args = ['-db', '-f', 'deploy/haproxy.cfg'];
  const log = join(directory, 'haproxy');
  const child = startLogged('haproxy', args, environment, log, false);
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(`http://${HOST}:${port}/health`).catch(() => undefined);
    if (response?.status === 200) return { pid: child.pid!, port, child, log };
    if (child.exitCode !== null || performance.now() - startedAt > LONGEST_START_MS)
      throw new Error(`haproxy does not start: ${lastWords(log)}`);
    await delay(POLL_MS);
  }
}

/** Its output goes to a file, so that no process here has to read it. */
function startLogged(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  file: string,
  hasChannel: boolean,
): ChildProcess {
  const log = openSync(file, 'a');
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', log, log, ...(hasChannel ? (['ipc'] as const) : [])],
  });
  closeSync(log);
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  return child;
}

/** The end of a log, for the message of an error. */
function lastWords(file: string): string {
  return readFileSync(file, 'utf8').slice(-LAST_WORDS);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
