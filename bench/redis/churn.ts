/** Whether an hour of coming and going leaves anything behind, in a replica and in Redis. The hour is simulated. */

import { createGameServerId } from '../../src/registry/game-server.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import type { Clock, Registry } from '../../src/registry/registry.ts';
import type { RunningRedis } from '../support/processes.ts';
import { gameServerNumber } from '../support/requests.ts';
import type { Extra } from '../requests/results.ts';

const LISTED = 600;
const COMING_A_SECOND = 10;
const lifetime = createLifetime(86_400_000);

/** Each second ten game servers come, ten go, ten others change, and the list is read in gzip. */
async function churn(
  registry: Registry,
  clock: { ms: number },
  minutes: number,
  ids: string[],
): Promise<void> {
  for (let second = 0; second < 60 * minutes; second += 1) {
    clock.ms += 1000;
    for (let i = 0; i < COMING_A_SECOND; i += 1) {
      const id = createGameServerId();
      await registry.broadcast(id, gameServerNumber(7));
      ids.push(id);
      await registry.ping(ids[Math.floor(Math.random() * ids.length)]!, gameServerNumber(7, second % 64));
      if (ids.length > LISTED) await registry.remove(ids.shift()!, gameServerNumber(7).ip);
    }
    await (await registry.list()).snapshot.encode('gzip');
  }
}

function heapBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export async function measureChurn(redis: RunningRedis | undefined): Promise<Extra[]> {
  const time = { ms: Date.now() };
  const clock: Clock = { now: () => time.ms, every: () => () => undefined };
  const registries: [string, Registry][] = [
    ['memory', new MemoryRegistry({ lifetime, uniqueAddress: false, clock })],
  ];
  if (redis !== undefined) {
    const options = {
      client: redis.client,
      registryName: 'churn',
      lifetime,
      uniqueAddress: false,
      clock,
      clockRulesRedis: true,
    };
    const registry = new RedisRegistry(options);
    await registry.untilListed(10_000);
    registries.push(['Redis', registry]);
  }
  const usedByRedis = async (): Promise<number> =>
    Number(/used_memory:(\d+)/.exec((await redis?.client.info('memory')) ?? 'used_memory:0')![1]);
  const extras: Extra[] = [];
  for (const [backend, registry] of registries) {
    const ids: string[] = [];
    // Tombstones reach their limit of 10,000 within 17 minutes.
    await churn(registry, time, 20, ids);
    const before = { replica: heapBytes(), redis: await usedByRedis() };
    await churn(registry, time, 40, ids);
    const after = { replica: heapBytes(), redis: await usedByRedis() };
    await registry.close();
    const growth = (name: string, from: number, to: number): Extra => ({
      name: `growth from minute 20 to 60 of churn, ${name}`,
      count: LISTED,
      value: (to - from) / 1024,
      unit: 'KiB',
    });
    extras.push(growth(`replica on ${backend}`, before.replica, after.replica));
    if (backend === 'Redis') extras.push(growth('Redis', before.redis, after.redis));
  }
  return extras;
}
