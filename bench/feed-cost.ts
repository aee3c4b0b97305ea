/**
 * The line of the feed: the CPU of Redis against changes a second, for some numbers of replicas that follow. One more
 * registry sends the changes, as pings.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RedisRegistry } from '../src/registry/redis/redis-registry.ts';
import type { FollowersOrder } from './feed-followers-process.ts';
import { fill, openRegistry } from './open-registry.ts';
import type { RunningRedis } from './processes.ts';
import { redisCpuUs } from './redis-cpu.ts';
import { gameServerNumber, type Listed } from './requests.ts';
import type { FeedLine } from './results.ts';

const REPLICAS = [1, 3, 10];
const CHANGES_PER_SECOND = [0, 100, 1000, 3000];
/** What readers cause, and none. */
const LISTS_PER_SECOND = [50, 0];
const COUNT = 10_000;
const SETTLE_MS = 500;
const TICK_MS = 5;

/** `seconds`: of each point of the line. */
export async function measureFeed(redis: RunningRedis, seconds: number): Promise<FeedLine[]> {
  const { registry, close } = await openRegistry(redis.port);
  const listed = await fill(registry, COUNT);
  const lines: FeedLine[] = [];
  for (const listsPerSecond of LISTS_PER_SECOND) {
    const byReplicas: number[][] = [];
    for (const replicas of REPLICAS) {
      const stop = await startFollowers({ port: redis.port, replicas, listsPerSecond });
      const cpuShares: number[] = [];
      for (const perSecond of CHANGES_PER_SECOND) {
        const stopChanges = startChanges(registry, listed, perSecond);
        await delay(SETTLE_MS);
        const before = await redisCpuUs(redis.client);
        const startedAt = performance.now();
        await delay(1000 * seconds);
        const usedUs = (await redisCpuUs(redis.client)) - before;
        cpuShares.push(usedUs / 1000 / (performance.now() - startedAt));
        stopChanges();
      }
      byReplicas.push(cpuShares);
      await stop();
    }
    lines.push({
      listsPerSecond,
      replicas: REPLICAS,
      changesPerSecond: CHANGES_PER_SECOND,
      cpuShares: byReplicas,
      usPerChangeAndReplica: slopes(byReplicas),
    });
  }
  await close();
  return lines;
}

/** For each rate of changes but 0: what one change costs for one replica more, in µs. */
function slopes(byReplicas: readonly (readonly number[])[]): number[] {
  const [fewest, most] = [byReplicas[0]!, byReplicas.at(-1)!];
  const more = REPLICAS.at(-1)! - REPLICAS[0]!;
  return CHANGES_PER_SECOND.slice(1).map((perSecond, i) => {
    const withChanges = most[i + 1]! - fewest[i + 1]!;
    const without = most[0]! - fewest[0]!;
    return (1e6 * (withChanges - without)) / more / perSecond;
  });
}

/** Returns what stops them. */
function startChanges(registry: RedisRegistry, listed: readonly Listed[], perSecond: number): () => void {
  const startedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * perSecond;
    for (; sent < due; sent += 1) {
      const { id, n } = listed[(sent * 7919) % listed.length]!;
      void registry.ping(id, gameServerNumber(n, 1 + Math.floor(Math.random() * 1e6))).catch(() => undefined);
    }
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** Resolves with what ends them, once all have the list. */
async function startFollowers(order: FollowersOrder): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL('feed-followers-process.ts', import.meta.url));
  const child = fork(program, { execArgv: ['--import', 'tsx/esm'] });
  child.send(order);
  await once(child, 'message');
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
}
