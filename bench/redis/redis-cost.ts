/** What the service costs Redis, and what a new replica costs both. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { median } from '../support/median.ts';
import { openRegistry } from '../support/open-registry.ts';
import type { RunningRedis } from '../support/processes.ts';
import { redisCpuUs } from '../support/usage.ts';
import { gameServerNumber, type Listed } from '../support/requests.ts';
import type { Extra } from '../requests/results.ts';

const ROUNDS = 5;
/** Of pings that come this many at a time. */
const PINGS_A_ROUND: Readonly<Record<number, number>> = { 1: 5000, 32: 20_000 };

/** µs of CPU of Redis per ping. The pings come from one registry, without HTTP, each as soon as one is answered. */
export async function measureRedisTime(
  redis: RunningRedis,
  registry: RedisRegistry,
  listed: readonly Listed[],
): Promise<Extra[]> {
  const extras: Extra[] = [];
  let players = 100;
  for (const isChanged of [false, true]) {
    for (const atATime of [32, 1]) {
      const micros: number[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const pings = PINGS_A_ROUND[atATime]!;
        const before = await redisCpuUs(redis.client);
        let sent = 0;
        const sendOn = async (): Promise<void> => {
          while (sent < pings) {
            const { id, n } = listed[sent % listed.length]!;
            if (isChanged && sent % listed.length === 0) players += 1;
            sent += 1;
            await registry.ping(id, gameServerNumber(n, isChanged ? players : undefined));
          }
        };
        await Promise.all(Array.from({ length: atATime }, sendOn));
        // The first round sets what the others find.
        if (round > 0) micros.push(((await redisCpuUs(redis.client)) - before) / pings);
      }
      const kind = isChanged ? 'changed' : 'unchanged';
      extras.push({
        name: `CPU of Redis per ${kind} ping without HTTP, ${atATime} at a time`,
        count: listed.length,
        value: median(micros),
        unit: 'µs',
      });
    }
  }
  return extras;
}

const MOST_SLOW_CALLS = 20_000;

/** A replica that starts on a full registry: how long, and the longest that Redis or its event loop stood. */
export async function measureJoin({ client, port }: RunningRedis, count: number): Promise<Extra[]> {
  // Of the thousands of calls, all that took over a millisecond.
  await client.config('SET', 'slowlog-log-slower-than', '1000', 'slowlog-max-len', String(MOST_SLOW_CALLS));
  await client.slowlog('RESET');
  const heapBefore = heapUsed();
  const stalls = monitorEventLoopDelay({ resolution: 1 });
  stalls.enable();
  const startedAt = performance.now();
  const { registry, close } = await openRegistry(port);
  const { snapshot } = await whenLoaded(registry);
  const loadedMs = performance.now() - startedAt;
  await snapshot.encode('identity');
  const renderedMs = performance.now() - startedAt;
  stalls.disable();
  const heapAfter = heapUsed();
  await client.config('SET', 'slowlog-log-slower-than', '10000');
  const slowest = (await client.slowlog('GET', MOST_SLOW_CALLS)) as [number, number, number, string[]][];
  await close();
  const memory = await client.info('memory');
  const redisBytes = Number(/used_memory_dataset:(\d+)/.exec(memory)![1]);
  const extra = (name: string, value: number, unit: string): Extra => ({ name, count, value, unit });
  return [
    extra('join: until the list is loaded', loadedMs, 'ms'),
    extra('join: until it is rendered', renderedMs, 'ms'),
    extra('join: longest stall of the event loop', stalls.max / 1e6, 'ms'),
    extra('join: longest call of Redis', Math.max(0, ...slowest.map(([, , micros]) => micros)) / 1000, 'ms'),
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
