/** How long pings of one registry take beside what another one is asked. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from '../support/requests.ts';
import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
import { configOf, namesOf } from '../support/many-registries.ts';
import { median } from '../support/median.ts';
import { pingFor } from '../support/ping-times.ts';
import { startRedis, type RunningRedis } from '../support/processes.ts';
import { progress, type Figure } from '../support/figures.ts';
import { start } from './start.ts';

export interface Fairness {
  /** The game servers in the registry beside the one that is pinged. */
  readonly servers: number;
  readonly rounds: number;
  readonly seconds: number;
}

/** What the other registry is asked meanwhile: the connections, and the requests on them in turn. */
const BESIDE: readonly [name: string, connections: number, requests: readonly Request[]][] = [
  ['a flood beyond its limits', 32, [get('/servers?limit=1')]],
  [
    'queries that were never asked before',
    4,
    Array.from({ length: 5000 }, (_, n) => get(`/servers?q=Server+${n}`)),
  ],
  ['its whole list', 2, [get('/', { 'Accept-Encoding': 'gzip' })]],
];

function get(path: string, headers: Readonly<Record<string, string>> = {}): Request {
  return { method: 'GET', path, headers, body: '' };
}

/** Resolves with the median of the p99 of pings of the first registry, by what the second is asked meanwhile. */
export async function measureFairness({ servers, rounds, seconds }: Fairness): Promise<Figure[]> {
  const redis = await startRedis();
  const service = await start(redis, configOf(3, ['{}', '{}', '{ rate-limit: "list=10/s" }']));
  const [pinged, asked, limited] = namesOf(3).map((name) => `${service.url}/${name}`);
  progress(`${servers} game servers beside 1,000`);
  const listed = await new Poster(pinged!).list(1000);
  const beside = await new Poster(asked!).list(servers);
  const alone: number[] = [];
  const figures: Figure[] = [];
  const times = async (name: string, meanwhile: () => { readonly end: () => Promise<unknown> }) => {
    const measured: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      progress(`pings beside ${name}, round ${round + 1} of ${rounds}`);
      alone.push(await pingFor(pinged!, listed, seconds));
      const load = meanwhile();
      await delay(500);
      measured.push(await pingFor(pinged!, listed, seconds));
      await load.end();
    }
    const ratio = median(measured) / median(alone);
    figures.push({
      name: `p99 of pings beside ${name}: ms (times alone)`,
      value: `${median(measured).toFixed(1)} (${ratio.toFixed(2)})`,
      goal: '≤ 2 ×',
    });
  };
  for (const [index, [name, connections, requests]] of BESIDE.entries())
    await times(name, () => {
      const url = new URL(index === 0 ? limited! : asked!);
      const below = requests.map((each) => ({ ...each, path: url.pathname + each.path }));
      const load = runLoad({ url: url.origin, requests: below, connections, seconds: seconds + 1 });
      return { end: () => load };
    });
  await times(`${servers} entries of another registry that ping`, () => {
    const poster = new Poster(asked!);
    const over = new AbortController();
    const all = Promise.all(
      Array.from({ length: 8 }, async (_, first) => {
        for (let n = first; !over.signal.aborted; n += 8)
          await poster.ping(beside[n % beside.length]!, n % 32);
      }),
    );
    return {
      end: () => {
        over.abort();
        return all;
      },
    };
  });
  await times('damaged keys', () => ({ end: damageKeys(redis) }));
  await service.stop();
  await redis.stop();
  return [
    { name: 'p99 of 200 pings a second alone, ms', value: median(alone).toFixed(1), goal: '' },
    ...figures,
  ];
}

/** Writes what no version writes into the keys of the second registry, over and over. */
function damageKeys({ client }: RunningRedis): () => Promise<void> {
  const over = new AbortController();
  const all = (async () => {
    while (!over.signal.aborted) {
      const keys = await client.keys('{gsls:game-1}*');
      for (const key of keys.slice(0, 20)) {
        await client.del(key);
        await client.set(key, 'damaged');
      }
      await delay(100);
    }
  })();
  return () => {
    over.abort();
    return all;
  };
}
