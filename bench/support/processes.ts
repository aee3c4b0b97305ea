/** The other processes of a measurement: subjects, the pings that change the list under them, a Redis. */

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Listed, Request } from './requests.ts';
import type { Order, Usage } from '../requests/subject-process.ts';
import type { SubjectOptions } from '../requests/subjects.ts';

export interface RunningSubject {
  readonly options: SubjectOptions;
  readonly url: string;
  readonly listed: readonly Listed[];
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

function forkHelper(): ChildProcess {
  const program = fileURLToPath(new URL('../requests/subject-process.ts', import.meta.url));
  return fork(program, { execArgv: ['--import', 'tsx/esm'], serialization: 'advanced' });
}

function ask<T>(child: ChildProcess, order: Order): Promise<T> {
  child.send(order);
  return once(child, 'message').then(([answer]) => answer as T);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

export async function startSubject(options: SubjectOptions): Promise<RunningSubject> {
  const child = forkHelper();
  const { port, listed } = await ask<{ port: number; listed: Listed[] }>(child, { order: 'serve', options });
  return {
    options,
    url: `http://127.0.0.1:${port}`,
    listed,
    usage: () => ask(child, { order: 'usage' }),
    stop: () => end(child),
  };
}

const REPLICAS = 3;

/** Three of the subject behind a HAProxy, looking like one; undefined where there is none. */
export async function startBalanced(options: SubjectOptions): Promise<RunningSubject | undefined> {
  const first = await startSubject(options);
  const others = Array.from({ length: REPLICAS - 1 }, () =>
    startSubject({ ...options, isFilled: options.name !== 'floor' }),
  );
  const replicas = [first, ...(await Promise.all(others))];
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'gsls-bench-'));
  const file = join(directory, 'haproxy.cfg');
  const servers = replicas.map(({ url }, i) => `  server replica${i} ${url.slice('http://'.length)}`);
  const config = `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  http-reuse always
listen bench
  bind 127.0.0.1:${port}
  balance leastconn
${servers.join('\n')}
`;
  await writeFile(file, config);
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const missing = await Promise.race([
    once(haproxy, 'error').then(() => true),
    once(haproxy, 'spawn').then(() => false),
  ]);
  const stop = async (): Promise<void> => {
    if (!missing) await end(haproxy);
    await Promise.all(replicas.map((replica) => replica.stop()));
    await rm(directory, { recursive: true });
  };
  if (missing) {
    await stop();
    return undefined;
  }
  await delay(500);
  return {
    options,
    url: `http://127.0.0.1:${port}`,
    listed: first.listed,
    async usage() {
      const usages = await Promise.all(replicas.map((replica) => replica.usage()));
      const sum = (key: keyof Usage): number => usages.reduce((total, usage) => total + usage[key], 0);
      return { cpuUs: sum('cpuUs'), rssBytes: sum('rssBytes') };
    },
    stop,
  };
}

/** Keeps changing the list at `url`; resolves with what stops it, once it is under way. */
export async function startChurn(
  url: string,
  requests: readonly Request[],
  perSecond: number,
): Promise<() => Promise<void>> {
  if (perSecond === 0) return async () => undefined;
  const child = forkHelper();
  child.send({ order: 'churn', url, requests, perSecond } satisfies Order);
  await delay(1000);
  return () => end(child);
}

export interface RunningRedis {
  readonly port: number;
  readonly client: Redis;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A redis-server of our own; undefined where there is none. */
export async function startRedis(): Promise<RunningRedis | undefined> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'gsls-bench-'));
  const child = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', directory], {
    stdio: 'ignore',
  });
  const missing = await Promise.race([
    once(child, 'error').then(() => true),
    once(child, 'spawn').then(() => false),
  ]);
  if (missing) return undefined;
  const client = new Redis(port, { retryStrategy: () => 50, maxRetriesPerRequest: 100 });
  client.on('error', () => undefined);
  await client.ping();
  return {
    port,
    client,
    async stop() {
      client.disconnect();
      await end(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
