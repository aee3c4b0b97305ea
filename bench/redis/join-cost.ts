/** What a new replica costs Redis and itself. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import { openRegistry } from '../support/open-registry.ts';
import type { RunningRedis } from '../support/processes.ts';
import type { Extra } from '../requests/results.ts';

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
