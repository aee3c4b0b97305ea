/** Real redis-servers on free ports, ended with the tests. */

import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, Redis } from 'ioredis';

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** Ends the server and removes its files. */
  stop(): Promise<void>;
}

/** Whether there is a redis-server on this machine. Where CI is set there has to be. */
export function hasRedisServer(): boolean {
  const found = spawnSync('redis-server', ['--version']).status === 0;
  if (!found && process.env['CI'])
    throw new Error('redis-server is missing: install it, CI tests on the real thing');
  return found;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a redis-server without persistence, unless the arguments say otherwise. */
export async function startRedisServer(
  options: { port?: number; args?: readonly string[] } = {},
): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'gsls-redis-'));
  const port = options.port ?? (await freePort());
  const child = spawn(
    'redis-server',
    [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--appendonly',
      'no',
      ...(options.args ?? []),
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.once('exit', endWithUs);

  const probe = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20, maxRetriesPerRequest: 500 });
  probe.on('error', () => undefined);
  await probe.ping();
  probe.disconnect();

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      process.off('exit', endWithUs);
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A real redis-server with a client for the tests of a `describe`. */
export function useRedis(): { readonly client: Redis; readonly url: string } {
  let server: RedisServer;
  let client: Redis;
  before(async () => {
    server = await startRedisServer();
    client = new Redis(server.port);
  });
  after(async () => {
    client.disconnect();
    await server.stop();
  });
  return {
    get client() {
      return client;
    },
    get url() {
      return server.url;
    },
  };
}

export interface RedisCluster {
  readonly client: Cluster;
  stop(): Promise<void>;
}

/** A Cluster of one node that owns all slots: enough to refuse what does not share one. */
export async function startRedisCluster(): Promise<RedisCluster> {
  // Its bus wants the port 10000 above.
  let port = await freePort();
  while (port > 55_000) port = await freePort();
  const server = await startRedisServer({
    port,
    args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
  });
  const node = new Redis({ port: server.port, host: '127.0.0.1' });
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  while (!String(await node.call('CLUSTER', 'INFO')).includes('cluster_state:ok'))
    await new Promise(setImmediate);
  node.disconnect();
  const client = new Cluster([{ port: server.port, host: '127.0.0.1' }], { lazyConnect: true });
  await client.connect();
  return {
    client,
    async stop() {
      client.disconnect();
      await server.stop();
    },
  };
}
