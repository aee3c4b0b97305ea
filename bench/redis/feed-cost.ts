/**
 * The line of the feed: the CPU of Redis against changes a second, for some numbers of replicas that follow. One more
 * registry sends the changes, as pings.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RedisRegistry } from '../../src/registry/redis/redis-registry.ts';
import type { FollowersOrder } from './feed-followers-process.ts';
import { fill, openRegistry } from '../support/open-registry.ts';
import type { RunningRedis } from '../support/processes.ts';
import { redisCpuUs } from '../support/redis-cpu.ts';
import { gameServerNumber, type Listed } from '../support/requests.ts';
import type { FeedLine, FeedPoint } from '../requests/results.ts';

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
    const points: FeedPoint[][] = [];
    for (const replicas of REPLICAS) {
      const stop = await startFollowers({ port: redis.port, replicas, listsPerSecond });
      const ofReplicas: FeedPoint[] = [];
      for (const perSecond of CHANGES_PER_SECOND)
        ofReplicas.push(await measurePoint(redis, new Changes(registry, listed, perSecond), seconds));
      points.push(ofReplicas);
      await stop();
    }
    lines.push({
      listsPerSecond,
      replicas: REPLICAS,
      changesPerSecond: CHANGES_PER_SECOND,
      points,
      usPerChangeAndReplica: slopes(points),
    });
  }
  await close();
  return lines;
}

async function measurePoint(redis: RunningRedis, changes: Changes, seconds: number): Promise<FeedPoint> {
  await delay(SETTLE_MS);
  const before = { cpuUs: await redisCpuUs(redis.client), changes: changes.done, at: performance.now() };
  await delay(1000 * seconds);
  const usedUs = (await redisCpuUs(redis.client)) - before.cpuUs;
  const measuredMs = performance.now() - before.at;
  const changesPerSecond = ((changes.done - before.changes) * 1000) / measuredMs;
  changes.stop();
  return { cpuShare: usedUs / 1000 / measuredMs, changesPerSecond };
}

/** For each rate of changes but 0: what one change costs for one replica more, in µs. By the changes that were reached. */
function slopes(points: readonly (readonly FeedPoint[])[]): number[] {
  const [fewest, most] = [usPerChange(points[0]!), usPerChange(points.at(-1)!)];
  return most.map((us, i) => (us - fewest[i]!) / (REPLICAS.at(-1)! - REPLICAS[0]!));
}

/** Of Redis for each change, at each rate but 0, beyond what it spends without changes. */
function usPerChange([idle, ...busy]: readonly FeedPoint[]): number[] {
  return busy.map(({ cpuShare, changesPerSecond }) => (1e6 * (cpuShare - idle!.cpuShare)) / changesPerSecond);
}

/** Pings that each change the list, so many a second. */
class Changes {
  /** How many have been acknowledged. */
  done = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(registry: RedisRegistry, listed: readonly Listed[], perSecond: number) {
    const startedAt = performance.now();
    let sent = 0;
    const acknowledge = (): void => void (this.done += 1);
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * perSecond;
      for (; sent < due; sent += 1) {
        const { id, n } = listed[(sent * 7919) % listed.length]!;
        const players = 1 + Math.floor(Math.random() * 1e6);
        registry.ping(id, gameServerNumber(n, players)).then(acknowledge, () => undefined);
      }
    }, TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
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
