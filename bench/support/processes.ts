/** The processes of a measurement: services, HAProxy, a Redis, workers. Each ends with this one at the latest. */

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { freePort } from '../../test/support/free-port.ts';
import { has } from '../../test/support/needs.ts';
import { startRedisServer } from '../../test/support/redis-server.ts';

export const HOST = '127.0.0.1';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROBE = new URL('replica-probe.mjs', import.meta.url).href;
const STRIP_TYPES = new URL('strip-types.mjs', import.meta.url).href;
const POLL_MS = 20;
const LONGEST_START_MS = 120_000;
/** Characters of a log, for the message of an error. */
const LAST_WORDS = 2000;

// Processes that were started end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Resolves with the exit code, null after a signal, once the process has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

function endWithUs(child: ChildProcess): ChildProcess {
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

interface ProgramOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The file that takes its output, so that no process here has to read it; without one its errors go to ours. */
  readonly log: string | undefined;
  readonly hasChannel?: boolean | undefined;
}

function startProgram(
  command: string,
  args: readonly string[],
  { environment, log, hasChannel }: ProgramOptions,
): ChildProcess {
  const file = log === undefined ? undefined : openSync(log, 'a');
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', file ?? 'ignore', file ?? 'inherit', ...(hasChannel === true ? ['ipc' as const] : [])],
  });
  if (file !== undefined) closeSync(file);
  return endWithUs(child);
}

/** Resolves once `url` is answered with 200. */
async function untilHealthy(url: string, child: ChildProcess, log: string | undefined): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
    if (child.exitCode !== null || performance.now() - startedAt > LONGEST_START_MS)
      throw new Error(`${child.spawnfile} does not start: ${lastWords(log)}`);
    await delay(POLL_MS);
  }
}

function lastWords(log: string | undefined): string {
  return log === undefined ? '' : readFileSync(log, 'utf8').slice(-LAST_WORDS);
}

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

export interface ServiceOptions {
  readonly flags: readonly string[];
  /** Of the checkout whose build it is; else of this one. */
  readonly folder?: string;
  /** A file for its output. */
  readonly log?: string;
  /** Whether it can be probed, which takes a thousandth of a core. */
  readonly isProbed?: boolean;
  /** The path of the registry whose health says that it has started. Default: '', the root. */
  readonly readyAt?: string;
}

/** The built program. It keeps its port. */
export interface Service {
  readonly port: number;
  readonly url: string;
  /** Another one after a restart; undefined before the first start. */
  readonly pid: number | undefined;
  /** Zeros before the first start. */
  probe(order: 'reset' | 'report' | 'collect'): Promise<ProbeReport>;
  /** Resolves once it is healthy. */
  start(): Promise<void>;
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function createService({
  folder = ROOT,
  flags,
  log,
  isProbed,
  readyAt = '',
}: ServiceOptions): Promise<Service> {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const program = [...(isProbed === true ? ['--import', PROBE] : []), `${folder}/dist/cli.js`];
  const args = [...program, `--host=${HOST}`, `--port=${port}`, ...flags];
  let child: ChildProcess | undefined;
  return {
    port,
    url,
    get pid() {
      return child?.pid;
    },
    async probe(order) {
      if (child === undefined) return NOTHING_MEASURED;
      if (!child.connected) throw new Error(`the service at ${url} has ended: ${lastWords(log)}`);
      child.send(order);
      const [report] = (await once(child, 'message')) as [ProbeReport];
      return report;
    },
    async start() {
      child = startProgram(process.execPath, args, { log, hasChannel: isProbed });
      await untilHealthy(url + readyAt, child, log);
    },
    stop: async (signal) => (child === undefined ? null : end(child, signal)),
  };
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const service = await createService(options);
  await service.start();
  return service;
}

export interface Haproxy {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<unknown>;
}

/** HAProxy before these replicas, with the configuration we ship. `log`: the file for its output. */
export async function startHaproxy(replicaPorts: readonly number[], log: string): Promise<Haproxy> {
  const port = await freePort();
  const url = `http://${HOST}:${port}`;
  const replicas = replicaPorts.map((each, i) => [`REPLICA_${i + 1}`, `${HOST}:${each}`]);
  const environment = { LISTEN: `${HOST}:${port}`, GSLS_KEY: '', ...Object.fromEntries(replicas) };
  const child = startProgram('haproxy', ['-db', '-f', 'deploy/haproxy.cfg'], { environment, log });
  await untilHealthy(url, child, log);
  return { port, pid: child.pid!, stop: () => end(child) };
}

export interface RunningRedis {
  readonly port: number;
  readonly client: Redis;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RunningRedis> {
  if (!has('redis-server')) throw new Error('redis-server is not installed');
  const server = await startRedisServer();
  const client = new Redis(server.port);
  return {
    port: server.port,
    client,
    async stop() {
      client.disconnect();
      await server.stop();
    },
  };
}

/** A script of these benchmarks in a process of its own, which answers each order with one message, in their order. */
export class Worker {
  readonly #child: ChildProcess;
  #last: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor(script: URL) {
    this.#child = endWithUs(fork(script, { execArgv: ['--import', STRIP_TYPES], serialization: 'advanced' }));
    this.#child.once('exit', (code, signal) => {
      if (!this.#isEnding) throw new Error(`${script.pathname} ended: ${code ?? signal}`);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  ask<T>(order: unknown): Promise<T> {
    const answer = this.#last.then(async () => {
      this.#child.send(order as object);
      return ((await once(this.#child, 'message')) as [T])[0];
    });
    this.#last = answer;
    return answer;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await end(this.#child);
  }
}
