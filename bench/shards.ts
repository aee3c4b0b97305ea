/**
 * What one core of Redis carries, and what a registry spread over several would cost: the figures of docs/sharding.md.
 * `node --import tsx/esm bench/shards.ts` prints them in some minutes.
 */

import { measureCosts, measurePolls } from './shards-measured.ts';
import { startRedis } from './processes.ts';
import { disorder, fill, groupsAt, quantile, slowestOf, waitsMs } from './shards-simulation.ts';
import { markdownTable } from './table.ts';

const GROUPS = [1, 8, 32, 64];
const SHARDS = [1, 2, 4, 8, 16];
const LISTED = [20_000, 250_000, 1_000_000];
/** Replicas that follow the feed, the share of pings that change the players, the most of a core to plan for. */
const [REPLICAS, CHANGED_SHARE, PLANNED_SHARE] = [3, 0.5, 0.6];

const median = (values: readonly number[]): number => quantile(values, 0.5);
const round2 = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');

/** Numbers get two digits. */
function print(
  title: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? round2(cell) : cell)));
  process.stdout.write(`\n${title}\n\n${markdownTable(head, cells).join('\n')}\n`);
}

const started = await Promise.all(Array.from({ length: Math.max(...SHARDS) }, startRedis));
const servers = started.filter((server) => server !== undefined);
if (servers.length < started.length) throw new Error('there is no redis-server');
const { single, slowest } = await measurePolls(servers, SHARDS);
const costs: { listed: number; size: number; pings: readonly [number, number]; averageUs: number }[] = [];
for (const [i, listed] of LISTED.entries()) {
  const { pings, polls, change } = await measureCosts(servers[i]!, listed, GROUPS);
  for (const [group, size] of GROUPS.entries()) {
    const [unchanged, changed] = pings[group]!;
    const averageUs = unchanged + CHANGED_SHARE * (changed - unchanged + REPLICAS * change);
    costs.push({ listed, size, pings: [unchanged, changed], averageUs });
  }
  process.stdout.write(
    `${round2(listed)} listed: a poll ${round2(polls[0])} µs of Redis, one of 16 at once ${round2(polls[1])}, a change in it ${round2(change)}\n`,
  );
}
await Promise.all(servers.map((server) => server.stop()));

print(
  'µs of Redis a ping',
  ['listed', 'pings in a group', 'unchanged', 'changed', 'average'],
  costs.map(({ listed, size, pings, averageUs }) => [
    listed.toLocaleString('en'),
    `${size}`,
    ...pings,
    averageUs,
  ]),
);

/** The most pings a second for which Redis is busy for no more than this share, and the groups they make. */
function mostPings(
  listed: number,
  roundTripUs: number,
  busyShare: number,
): [perSecond: number, pingsInGroup: number] {
  const [alone, in32] = [1, 32].map(
    (size) => costs.find((each) => each.listed === listed && each.size === size)!.averageUs,
  ) as [number, number];
  const callUs = (alone - in32) / (1 - 1 / 32);
  const load = { replicas: REPLICAS, roundTripUs, callUs, pingUs: alone - callUs };
  let [low, high] = [0, 1e6 / load.pingUs];
  while (high - low > 100) {
    const middle = (low + high) / 2;
    if (groupsAt(middle, load).busyShare > busyShare) high = middle;
    else low = middle;
  }
  return [low, groupsAt(low, load).pingsInGroup];
}

print(
  `one core of Redis, ${100 * PLANNED_SHARE} % busy`,
  [
    'listed',
    'round trip, ms',
    'pings in a group',
    'pings/s',
    'every 10 s',
    'every 20 s',
    'every 30 s',
    '90 %: pings/s',
    'in a group',
  ],
  LISTED.flatMap((listed) =>
    [200, 1000].map((roundTripUs) => {
      const [perSecond, pingsInGroup] = mostPings(listed, roundTripUs, PLANNED_SHARE);
      const atMost = mostPings(listed, roundTripUs, 0.9);
      const gameServers = [10, 20, 30].map((seconds) => seconds * perSecond);
      return [
        listed.toLocaleString('en'),
        `${roundTripUs / 1000}`,
        pingsInGroup,
        perSecond,
        ...gameServers,
        ...atMost,
      ];
    }),
  ),
);

const ofGroups = costs.find(({ listed, size }) => listed === LISTED[1] && size === 32)!;
const waits = waitsMs((32 * ofGroups.averageUs) / 1000, PLANNED_SHARE);
print(
  'barrier, ms until the last poll is back: drawn from single ones, at once on this machine, behind groups of 32',
  ['shards', 'drawn p50', 'p99', 'at once p50', 'p99', 'waiting p50', 'p99'],
  SHARDS.map((count, i) =>
    [slowestOf(single, count), slowest[i]!, slowestOf(waits, count)].reduce<(string | number)[]>(
      (row, values) => [...row, median(values), quantile(values, 0.99)],
      [`${count}`],
    ),
  ),
);

print(
  'order of registration on 4 shards',
  ['broadcasts/s', 'clocks ± ms', 'neighbours swapped', 'places off, p99', 'ties of 50,000'],
  [100, 5000].flatMap((rate) =>
    [0, 1, 10, 100].map((skewMs) => {
      const { swappedShare, p99Places, ties } = disorder(rate, skewMs);
      return [`${rate}`, `${skewMs}`, `${(100 * swappedShare).toFixed(1)} %`, `${p99Places}`, `${ties}`];
    }),
  ),
);

const shares = [0.47, 0.48, 0.49, 0.51, 0.52, 0.53];
print(
  '4 shards: the fullest as a multiple of the average; how many hold, by the share that is silent',
  ['listed', 'shard by', 'fullest', ...shares.map((share) => `${100 * share} %`)],
  [1e5, 1e6].flatMap((listed) =>
    (['id', 'IP'] as const).map((by) => {
      const fills = shares.map((share) => fill(by, listed, share));
      const fullest = median(fills.map((each) => each.fullest)).toFixed(2);
      return [listed.toLocaleString('en'), by, fullest, ...fills.map(({ holding }) => `${holding}`)];
    }),
  ),
);
