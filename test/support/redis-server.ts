/** Real redis-servers on free ports, ended with the tests; they can be frozen, crashed and started again. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Certificate } from './certificate.ts';
import { freePort } from './free-port.ts';

export interface RedisServer {
  readonly host: string;
  readonly port: number;
  /** With the password, if it has one. */
  readonly url: string;
  /** What a client of ioredis needs to get in. */
  readonly access: RedisAccess;
  /** Of the process that runs now: another one after a restart. */
  readonly pid: number;
  /** Freezes it, with its connections open, until it is thawed. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL. Resolves when the process is gone; its files stay. */
  crash(): Promise<void>;
  /** Again with the same port, directory and arguments, after a crash if it still runs. Resolves when it answers. */
  restart(): Promise<void>;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

export interface RedisAccess {
  readonly host: string;
  readonly port: number;
  readonly password?: string;
  readonly tls?: { readonly ca: string; readonly servername: string };
}

export interface RedisServerOptions {
  readonly port?: number;
  /** Every client needs it, replicas too; they know it. */
  readonly password?: string;
  /** Speaks nothing but TLS then, also with other nodes. */
  readonly certificate?: Certificate;
  readonly args?: readonly string[];
  /** Makes it a sentinel, which watches what these lines of its configuration file say. */
  readonly sentinel?: readonly string[];
}

const HOST = '127.0.0.1';

/** Starts a redis-server without persistence, unless the arguments say otherwise. */
export async function startRedisServer(options: RedisServerOptions = {}): Promise<RedisServer> {
  const { password, certificate, sentinel, args = [] } = options;
  const directory = await mkdtemp(join(tmpdir(), 'gsls-redis-'));
  // The server itself rewrites it when it becomes a replica or a master.
  const configFile = join(directory, 'redis.conf');
  await writeFile(configFile, (sentinel ?? []).join('\n'));
  const port = options.port ?? (await freePort());
  const standard = [
    ...(certificate === undefined ? [['--port', String(port)]] : tlsArgs(port, certificate)),
    ['--bind', HOST],
    ['--dir', directory],
    ...(password === undefined ? [] : [['--requirepass', password]]),
    ...(sentinel === undefined ? forNodes(password) : [['--sentinel']]),
  ];
  const access: RedisAccess = {
    host: HOST,
    port,
    ...(password !== undefined && { password }),
    ...(certificate !== undefined && { tls: { ca: certificate.pem, servername: certificate.name } }),
  };
  const run = (): ChildProcess =>
    spawn('redis-server', [configFile, ...standard.flat(), ...args], { stdio: 'ignore' });

  let child = run();
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const crash = async (): Promise<void> => {
    if (hasEnded(child)) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  const stop = async (): Promise<void> => {
    process.off('exit', endWithUs);
    await crash();
    // Its child that writes a dump lives a little longer.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  };

  try {
    await answer(child, access);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    host: HOST,
    port,
    access,
    url: `redis://${password === undefined ? '' : `:${password}@`}${HOST}:${port}`,
    get pid() {
      return child.pid!;
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    crash,
    async restart() {
      await crash();
      child = run();
      await answer(child, access);
    },
    stop,
  };
}

function forNodes(password: string | undefined): string[][] {
  return [
    ['--save', ''],
    ['--appendonly', 'no'],
    // A replica need not wait 5 s for others who might want to synchronise as well.
    ['--repl-diskless-sync-delay', '0'],
    ...(password === undefined ? [] : [['--masterauth', password]]),
  ];
}

function tlsArgs(port: number, { file, keyFile }: Certificate): string[][] {
  return [
    ['--port', '0'],
    ['--tls-port', String(port)],
    ['--tls-cert-file', file],
    ['--tls-key-file', keyFile],
    ['--tls-ca-cert-file', file],
    ['--tls-auth-clients', 'no'],
    ['--tls-replication', 'yes'],
    ['--tls-cluster', 'yes'],
  ];
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Waits until the server answers; it ends by itself if it cannot have its port. */
async function answer(child: ChildProcess, access: RedisAccess): Promise<void> {
  const probe = new Redis({
    ...access,
    retryStrategy: () => (hasEnded(child) ? null : 20),
    maxRetriesPerRequest: 500,
  });
  probe.on('error', () => undefined);
  try {
    await probe.ping();
  } finally {
    probe.disconnect();
  }
}

/** A real redis-server with a client for the tests of a `describe`. */
export function useRedis(): Pick<RedisServer, 'url' | 'access'> & { readonly client: Redis } {
  let server: RedisServer | undefined;
  let client: Redis | undefined;
  before(async () => {
    server = await startRedisServer();
    client = new Redis(server.port);
  });
  after(async () => {
    client?.disconnect();
    await server?.stop();
  });
  return {
    get client() {
      return client!;
    },
    get url() {
      return server!.url;
    },
    get access() {
      return server!.access;
    },
  };
}
