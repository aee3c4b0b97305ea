/** What the service costs Redis, and what a new replica costs both. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createLifetime } from '../src/registry/lifetime.ts';
import { connectRedis } from '../src/registry/redis/connection/connect.ts';
import { RedisRegistry } from '../src/registry/redis/redis-registry.ts';
import { createKeys } from '../src/registry/redis/keys.ts';
import { createScripts } from '../src/registry/redis/scripts.ts';
import type { RunningRedis } from './processes.ts';
import { gameServerNumber, type Listed } from './requests.ts';

const lifetime = createLifetime(86_400_000);

export interface Extra {
  readonly name: string;
  readonly count: number;
  readonly value: number;
  readonly unit: string;
  readonly goal?: string;
  readonly isReached?: boolean;
}

const ROUNDS = 5;
const PINGS_A_ROUND = 20_000;
const PINGS_AT_A_TIME = 100;

/** µs of Redis per ping, from its own statistics. The pings come without HTTP and no replica follows meanwhile. */
export async function measureRedisTime(
  { client }: RunningRedis,
  listed: readonly Listed[],
  count: number,
): Promise<Extra[]> {
  const scripts = createScripts({
    client,
    keys: createKeys(''),
    lifetime,
    uniqueAddress: false,
    holdMassExpiry: true,
  });
  const extras: Extra[] = [];
  for (const [name, isChanged, most] of [
    ['Redis time per unchanged ping', false, 9],
    ['Redis time per changed ping', true, 12],
  ] as const) {
    const micros: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      await client.config('RESETSTAT');
      for (let sent = 0; sent < PINGS_A_ROUND; sent += PINGS_AT_A_TIME) {
        const some = Array.from({ length: PINGS_AT_A_TIME }, (_, i) => {
          const { id, n } = listed[(sent + i) % listed.length]!;
          const players = isChanged ? 100 + round + Math.floor((sent + i) / listed.length) : undefined;
          return scripts.ping(id, gameServerNumber(n, players));
        });
        await Promise.all(some);
      }
      const stats = await client.info('commandstats');
      // The first round sets what the others find.
      if (round > 0) micros.push(Number(/cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(stats)![1]));
    }
    const value = micros.toSorted((x, y) => x - y)[Math.floor(ROUNDS / 2)]!;
    extras.push({ name, count, value, unit: 'µs', goal: `≤ ${most}`, isReached: value <= most });
  }
  return extras;
}

/** A replica that starts on a full registry: how long, and the longest that Redis or its event loop stood still. */
export async function measureJoin({ client, port }: RunningRedis, count: number): Promise<Extra[]> {
  await client.config('SET', 'slowlog-log-slower-than', '0');
  await client.slowlog('RESET');
  const connection = connectRedis({ kind: 'standalone', host: '127.0.0.1', port, database: 0 });
  await connection.firstAttempt;
  const heapBefore = heapUsed();
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const startedAt = performance.now();
  const options = {
    client: connection.client,
    registryName: '',
    lifetime,
    uniqueAddress: false,
    holdMassExpiry: true,
  };
  const registry = new RedisRegistry(options);
  const { snapshot } = await whenLoaded(registry);
  const loadedMs = performance.now() - startedAt;
  await snapshot.encode('identity');
  const renderedMs = performance.now() - startedAt;
  stalls.disable();
  const heapAfter = heapUsed();
  await client.config('SET', 'slowlog-log-slower-than', '10000');
  const slowest = (await client.slowlog('GET', 128)) as [number, number, number, string[]][];
  await registry.close();
  await connection.close();
  const memory = await client.info('memory');
  const redisBytes = Number(/used_memory_dataset:(\d+)/.exec(memory)![1]);
  const extra = (name: string, value: number, unit: string): Extra => ({ name, count, value, unit });
  return [
    extra('join: until the list is loaded', loadedMs, 'ms'),
    extra('join: until it is rendered', renderedMs, 'ms'),
    extra('join: longest stall of the event loop', stalls.max / 1e6, 'ms'),
    extra('join: longest call of Redis', Math.max(...slowest.map(([, , micros]) => micros)) / 1000, 'ms'),
    extra('replica memory per game server', (heapAfter - heapBefore) / snapshot.count, 'bytes'),
    extra('Redis memory per game server', redisBytes / snapshot.count, 'bytes'),
  ];
}

async function whenLoaded(registry: RedisRegistry): ReturnType<RedisRegistry['list']> {
  for (;;) {
    const listing = await registry.list().catch(() => undefined);
    if (listing !== undefined) return listing;
    await delay(5);
  }
}

function heapUsed(): number {
  globalThis.gc?.();
  const { heapUsed: heap, external } = process.memoryUsage();
  return heap + external;
}
