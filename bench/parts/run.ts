/**
 * `npm run bench:parts`: what each part of its way costs a request, by a profile of a whole service under load. The
 * shares of the profile are those of the CPU that the process used without the profiler, in the same minute.
 */

import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { startRedis, Worker, type RunningRedis } from '../support/processes.ts';
import {
  changedPings,
  listRequest,
  pingsWithToken,
  unchangedPings,
  type Listed,
  type Request,
} from '../support/requests.ts';
import { printResult, tableOf } from '../support/table.ts';
import { PART_NAMES } from './parts.ts';
import type { Order } from './profiled-process.ts';

const options = readOptions('bench:parts', {
  rounds: [3, 'of each case, of which the median counts'],
  seconds: [3, 'each measurement lasts'],
  servers: [10_000, 'that are listed; of the list itself 200 are'],
  on: ['memory,redis', 'where'],
  only: ['', 'the cases whose name contains this'],
  json: [false, 'for programs'],
});

const CONNECTIONS = 32;
const SHORT_LIST = 200;
const SCRIPT = new URL('profiled-process.ts', import.meta.url);

interface Site {
  readonly url: string;
  readonly listed: readonly Listed[];
}

interface Case {
  readonly name: string;
  readonly servers: number;
  readonly requests: (site: Site) => Promise<readonly Request[]>;
}

const CASES: readonly Case[] = [
  {
    name: '304',
    servers: options.servers,
    async requests({ url }) {
      const response = await fetch(url);
      await response.arrayBuffer();
      return [listRequest({ 'If-None-Match': response.headers.get('etag')! })];
    },
  },
  { name: 'list of 200', servers: SHORT_LIST, requests: async () => [listRequest()] },
  {
    name: 'ping, unchanged',
    servers: options.servers,
    requests: async ({ listed }) => unchangedPings(listed),
  },
  {
    name: 'ping, changed',
    servers: options.servers,
    requests: async ({ listed }) => changedPings(listed),
  },
  { name: 'ping, with its token', servers: options.servers, requests: ({ url }) => pingsWithToken(url) },
];

/** µs a request. */
interface Costs {
  readonly name: string;
  readonly cpuUs: number;
  readonly parts: Readonly<Record<string, number>>;
}

async function measure(name: string, { servers, requests }: Case, redis?: RunningRedis): Promise<Costs> {
  const worker = new Worker(SCRIPT);
  const ask = <T>(order: Order): Promise<T> => worker.ask<T>(order);
  const url = await ask<string>({
    order: 'serve',
    environment: {
      GSLS_TTL: '86400',
      GSLS_NO_LOAD_SHEDDING: 'true',
      ...(redis !== undefined && { GSLS_REDIS: `redis://127.0.0.1:${redis.port}` }),
    },
  });
  const all = await new Poster(url).list(servers);
  const played = await requests({ url, listed: all });
  const load = { url, requests: played, seconds: options.seconds, connections: CONNECTIONS };
  const rounds: (Costs & { readonly errors: number })[] = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    process.stderr.write(`${name}, round ${round} of ${options.rounds}\n`);
    const before = await ask<number>({ order: 'usage' });
    const bare = await runLoad(load);
    const cpuUs = ((await ask<number>({ order: 'usage' })) - before) / bare.requests;
    await ask({ order: 'begin' });
    await runLoad(load);
    const parts = await ask<ReadonlyMap<string, number>>({ order: 'end' });
    const sum = [...parts.values()].reduce((total, us) => total + us, 0);
    const ofRequest = PART_NAMES.map((part) => [part, ((parts.get(part) ?? 0) / sum) * cpuUs] as const);
    rounds.push({ name, cpuUs, parts: Object.fromEntries(ofRequest), errors: bare.errors });
  }
  await worker.end();
  // The first round warms up.
  const counted = rounds.slice(1);
  const errors = counted.reduce((total, round) => total + round.errors, 0);
  if (errors > 0) throw new Error(`${name}: ${errors} requests failed`);
  const middle = (of: (round: Costs) => number): number => median(counted.map(of));
  const parts = PART_NAMES.map((part) => [part, middle((round) => round.parts[part]!)] as const);
  return { name, cpuUs: middle((round) => round.cpuUs), parts: Object.fromEntries(parts) };
}

const costs: Costs[] = [];
for (const on of options.on.split(','))
  for (const each of CASES.filter(({ name }) => name.includes(options.only))) {
    const redis = on === 'redis' ? await startRedis() : undefined;
    costs.push(await measure(`${each.name}, ${on}`, each, redis));
    await redis?.stop();
  }

function cell({ cpuUs, parts }: Costs, row: string): string {
  return (parts[row] ?? cpuUs).toFixed(1);
}

printResult(options.json, costs, () => {
  const rows = [...PART_NAMES, 'in all'];
  const columns = costs.map((each) => [each.name, (row: string) => cell(each, row)] as const);
  return `${tableOf(rows, [['CPU of a request, µs', (row) => row], ...columns]).join('\n')}\n`;
});
process.exit(0);
