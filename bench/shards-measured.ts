/**
 * What pings and polls cost Redis, and how long polls of several take: the scripts of the service on real servers, without
 * HTTP. Knows nothing of shards; shards.ts draws the conclusions.
 */

import { Redis } from 'ioredis';
import { NO_DETAILS } from '../src/registry/details.ts';
import { createGameServerId, UNKNOWN_STANDING, type ListedGameServer } from '../src/registry/game-server.ts';
import { UNKNOWN_CALLER } from '../src/registry/registry.ts';
import { createLifetime } from '../src/registry/lifetime.ts';
import { BEGINNING, type FeedPosition } from '../src/registry/redis/feed/feed.ts';
import { createKeys } from '../src/registry/redis/keys.ts';
import { createScripts, type Scripts } from '../src/registry/redis/scripts/scripts.ts';
import type { RunningRedis } from './processes.ts';
import { gameServerNumber } from './requests.ts';
import { quantile } from './shards-simulation.ts';

const [ROUNDS, PINGS_A_ROUND, POLLS_A_ROUND, BROADCASTS_AT_ONCE] = [5, 7680, 1024, 10_000];
/** They ping in this order again and again: as with an interval, and not in the order in which Redis stores them. */
const STRIDE = 104_729;
/** Pings come from so many at the same time. */
const REPLICAS = 3;

const settings = { keys: createKeys(''), lifetime: createLifetime(86_400_000), holdMassExpiry: true };
const scriptsOn = (client: Redis): Scripts => createScripts({ ...settings, client, uniqueAddress: false });
const times = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));

/** µs of CPU that the main thread of Redis spends on each of `count` operations. */
async function redisCpuUs(client: Redis, count: number, work: () => Promise<unknown>): Promise<number> {
  const used = async (): Promise<number> => {
    const fields = (await client.info('cpu')).matchAll(/^used_cpu_(?:user|sys)_main_thread:(.*)\r$/gm);
    return [...fields].reduce((sum, [, seconds]) => sum + 1e6 * Number(seconds), 0);
  };
  const before = await used();
  await work();
  return ((await used()) - before) / count;
}

/** The position of a follower that has everything. */
async function catchUp(scripts: Scripts, from = BEGINNING): Promise<FeedPosition> {
  const page = await scripts.changes(from);
  return page.more ? catchUp(scripts, page) : { ...page, base: page.cursor };
}

/** All in µs of CPU of Redis. */
export interface Costs {
  /** For each size of group: a ping that changes nothing, and one that changes the players. */
  readonly pings: readonly (readonly [unchanged: number, changed: number])[];
  /** A poll that finds nothing: alone, and one of 16 that are sent together. */
  readonly polls: readonly [alone: number, together: number];
  /** What each changed ping adds to the poll that reads it. */
  readonly change: number;
}

/** With so many game servers listed. */
export async function measureCosts(
  { client, port }: RunningRedis,
  listed: number,
  groups: readonly number[],
): Promise<Costs> {
  const clients = times(REPLICAS, () => new Redis(port));
  const replicas = clients.map(scriptsOn);
  const scripts = replicas[0]!;
  const broadcast = async (n: number): Promise<ListedGameServer> => {
    const gameServer = { ...gameServerNumber(n), id: createGameServerId() };
    const version = (await scripts.broadcast(gameServer.id, gameServer)).changed!.version;
    return { ...gameServer, ...UNKNOWN_STANDING, details: NO_DETAILS, version, registeredVersion: version };
  };
  const entries: ListedGameServer[] = [];
  while (entries.length < listed)
    entries.push(...(await Promise.all(times(BROADCASTS_AT_ONCE, (i) => broadcast(entries.length + i)))));
  let sent = 0;
  async function ping(replica: Scripts, isChanged: boolean): Promise<void> {
    const n = ((sent += 1) * STRIDE) % listed;
    const known = entries[n]!;
    const said = isChanged ? { ...known, players: sent } : known;
    const reply = await replica.ping(known.id, said, UNKNOWN_CALLER, known);
    if (reply.outcome !== 'refreshed') throw new Error(JSON.stringify(reply.outcome));
    entries[n] = { ...said, ...reply.changed };
  }
  async function pingInGroups(
    replica: Scripts,
    size: number,
    isChanged: boolean,
    count = PINGS_A_ROUND / REPLICAS,
  ): Promise<void> {
    for (let left = count; left > 0; left -= size)
      await Promise.all(times(size, () => ping(replica, isChanged)));
  }
  const costOfPing = (size: number, isChanged: boolean): Promise<number> =>
    redisCpuUs(client, PINGS_A_ROUND, () =>
      Promise.all(replicas.map((replica) => pingInGroups(replica, size, isChanged))),
    );
  const costOfPoll = (from: FeedPosition, atOnce: number): Promise<number> =>
    redisCpuUs(client, POLLS_A_ROUND, async () => {
      for (let left = POLLS_A_ROUND; left > 0; left -= atOnce)
        await Promise.all(times(atOnce, () => scripts.changes(from)));
    });
  await pingInGroups(scripts, 64, false, listed);
  const rounds: number[][] = [];
  let position = await catchUp(scripts);
  for (let round = 0; round < ROUNDS; round += 1) {
    const costs: number[] = [];
    for (const size of groups) costs.push(await costOfPing(size, false), await costOfPing(size, true));
    const before = await catchUp(scripts, position);
    await Promise.all(times(64, () => ping(scripts, true)));
    position = await catchUp(scripts, before);
    costs.push(await costOfPoll(position, 1), await costOfPoll(position, 16), await costOfPoll(before, 1));
    rounds.push(costs);
  }
  for (const each of clients) each.disconnect();
  const medians = rounds[0]!.map((_, i) =>
    quantile(
      rounds.map((costs) => costs[i]!),
      0.5,
    ),
  );
  const [alone, together, with64] = medians.slice(2 * groups.length) as [number, number, number];
  return {
    pings: groups.map((_, i) => [medians[2 * i]!, medians[2 * i + 1]!]),
    polls: [alone, together],
    change: (with64 - alone) / 64,
  };
}

/** All in ms. */
export interface PollTimes {
  /** Polls of one Redis, of each in turn. */
  readonly single: readonly number[];
  /** For each count: until the last is back of polls that are sent at once to so many. */
  readonly slowest: readonly (readonly number[])[];
}

export async function measurePolls(
  servers: readonly RunningRedis[],
  counts: readonly number[],
): Promise<PollTimes> {
  const shards = servers.map(({ client }) => scriptsOn(client));
  await Promise.all(shards.map((shard) => shard.broadcast(createGameServerId(), gameServerNumber(1))));
  const positions = await Promise.all(shards.map((shard) => catchUp(shard)));
  const pollMs = async (first: number, count: number): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(times(count, (i) => shards[first + i]!.changes(positions[first + i]!)));
    return performance.now() - startedAt;
  };
  const single: number[] = [];
  const slowest: number[][] = counts.map(() => []);
  for (let round = 0; round < 4 * POLLS_A_ROUND; round += 1) {
    single.push(await pollMs(round % shards.length, 1));
    for (const [i, count] of counts.entries()) slowest[i]!.push(await pollMs(0, count));
  }
  return { single, slowest };
}
