/**
 * The processes that a fleet measures: a real Redis, replicas of the built program, and HAProxy with the configuration
 * we ship, where it is installed.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { has } from '../../test/support/needs.ts';
import { startRedisServer, type RedisServer } from '../../test/support/redis-server.ts';
import { createService, startHaproxy, type Haproxy, type Service } from '../support/processes.ts';

/** A slower command is noted, in µs. */
const SLOW_US = '1000';

export interface Replica extends Service {
  readonly name: string;
  /** How many it lists; undefined while it has no current list. */
  count(): Promise<number | undefined>;
}

export interface Site {
  readonly redis: RedisServer;
  readonly replicas: readonly Replica[];
  /** Known to HAProxy and not started. */
  readonly joiner: Replica;
  readonly haproxyPid: number | undefined;
  /** Where clients connect: HAProxy, or else the first replica. */
  readonly frontPort: number;
  readonly close: () => Promise<void>;
}

export interface SiteOptions {
  readonly replicas: number;
  readonly ttlS: number;
}

export async function startSite({ replicas: count, ttlS }: SiteOptions): Promise<Site> {
  if (!has('redis-server')) throw new Error('redis-server is not installed');
  const closers: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of closers.toReversed()) await closeOne();
  };
  const directory = await mkdtemp(join(tmpdir(), 'gsls-fleet-'));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  const slow = ['--slowlog-log-slower-than', SLOW_US, '--slowlog-max-len', '1024'];
  const redis = await startRedisServer({ args: slow });
  closers.push(() => redis.stop());
  const all = await Promise.all(
    Array.from({ length: count + 1 }, (_, n) => {
      const name = `replica ${n + 1}`;
      return createReplica(name, [`--redis=${redis.url}`, `--ttl=${ttlS}`], join(directory, name));
    }),
  );
  closers.push(() => Promise.all(all.map((replica) => replica.stop())));
  const [replicas, joiner] = [all.slice(0, count), all.at(-1)!];
  let haproxy: Haproxy | undefined;
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    const ports = all.map(({ port }) => port);
    if (has('haproxy')) haproxy = await startHaproxy(ports, join(directory, 'haproxy'));
    closers.push(async () => haproxy?.stop());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    redis,
    replicas,
    joiner,
    haproxyPid: haproxy?.pid,
    frontPort: haproxy?.port ?? replicas[0]!.port,
    close,
  };
}

async function createReplica(name: string, flags: readonly string[], log: string): Promise<Replica> {
  const service = await createService({ flags, log, isProbed: true });
  return Object.assign(service, {
    name,
    async count() {
      const response = await fetch(`${service.url}/metrics`).catch(() => undefined);
      const metrics = (await response?.text()) ?? '';
      const valueOf = (metric: string): number =>
        Number(new RegExp(`^${metric} (.*)$`, 'm').exec(metrics)?.[1]);
      const isCurrent = valueOf('gsls_registry_available') === 1 && valueOf('gsls_list_stale_seconds') === 0;
      return isCurrent ? valueOf('gsls_game_servers') : undefined;
    },
  });
}
