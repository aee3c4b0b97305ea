/**
 * The line of the feed: the CPU of Redis against changes a second, for some numbers of replicas that follow. One more
 * registry sends the changes, as pings.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { FeedLine, FeedPoint } from '../requests/results.ts';
import { changeSteadily, fill, openListedRegistry } from '../support/open-registry.ts';
import { Worker, type RunningRedis } from '../support/processes.ts';
import { redisCpuUs } from '../support/usage.ts';
import type { FollowersOrder } from './feed-followers-process.ts';

const REPLICAS = [1, 3, 10];
const CHANGES_PER_SECOND = [0, 100, 1000, 3000];
/** What readers cause, and none. */
const LISTS_PER_SECOND = [50, 0];
const COUNT = 10_000;
const SETTLE_MS = 500;

/** `seconds`: of each point of the line. */
export async function measureFeed(redis: RunningRedis, seconds: number): Promise<FeedLine[]> {
  const { registry, close } = await openListedRegistry(redis.port);
  const listed = await fill(registry, COUNT);
  const lines: FeedLine[] = [];
  for (const listsPerSecond of LISTS_PER_SECOND) {
    const points: FeedPoint[][] = [];
    for (const replicas of REPLICAS) {
      const followers = new Worker(new URL('feed-followers-process.ts', import.meta.url));
      await followers.ask({ port: redis.port, replicas, listsPerSecond } satisfies FollowersOrder);
      const ofReplicas: FeedPoint[] = [];
      for (const perSecond of CHANGES_PER_SECOND) {
        const changes = changeSteadily(registry, listed, perSecond);
        ofReplicas.push(await measurePoint(redis, () => changes.done, seconds));
        changes.stop();
      }
      points.push(ofReplicas);
      await followers.end();
    }
    lines.push({ listsPerSecond, replicas: REPLICAS, changesPerSecond: CHANGES_PER_SECOND, points });
  }
  await close();
  return lines;
}

async function measurePoint(redis: RunningRedis, changes: () => number, seconds: number): Promise<FeedPoint> {
  await delay(SETTLE_MS);
  const before = { cpuUs: await redisCpuUs(redis.client), changes: changes(), at: performance.now() };
  await delay(1000 * seconds);
  const usedUs = (await redisCpuUs(redis.client)) - before.cpuUs;
  const measuredMs = performance.now() - before.at;
  const changesPerSecond = ((changes() - before.changes) * 1000) / measuredMs;
  return { cpuShare: usedUs / 1000 / measuredMs, changesPerSecond };
}
