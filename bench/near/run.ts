/**
 * `npm run bench -- near`: what it costs to answer a reader who asks for the nearest, what distances to beacons cost
 * Redis in pings, and how many requests a beacon answers.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { Details } from '../../src/model/fields/details.ts';
import type { GameServer } from '../../src/model/game-server.ts';
import type { Latency } from '../../src/model/near.ts';
import { measureInTurn, type Load } from '../redis/load-in-turn.ts';
import { startTimedRedis } from '../redis/meters.ts';
import { printFigures, progress, type Figure } from '../support/figures.ts';
import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
import { median } from '../support/median.ts';
import { fill, openListedRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { end, startService, type Service } from '../support/processes.ts';
import { detailsNumber, gameServerNumber } from '../support/requests.ts';
import { readPreciseCpuUs } from '../support/usage.ts';

const options = readOptions('near', {
  servers: [10_000, 'game servers'],
  queries: [500, 'queries in a round, none of them asked before'],
  pings: [40_000, 'pings in a round'],
  rounds: [5, 'of each measurement, of which the median counts'],
  seconds: [4, 'a round of requests to a beacon lasts'],
  json: [false, 'for programs'],
});
const { servers, queries, pings, rounds, seconds } = options;

/** Twelve places of a plane that is 400 ms wide and 200 ms high. */
const PLACES = Array.from({ length: 12 }, (_, n) => [(n % 4) * 130, Math.floor(n / 4) * 95] as const);
const IDS = PLACES.map((_, n) => `b${n}`);

/** What the n-th machine measures. */
function latencyFrom(n: number): Latency {
  const [x, y] = [(n * 7919) % 400, (n * 104_729) % 200];
  return Object.fromEntries(PLACES.map(([a, b], at) => [IDS[at]!, Math.round(5 + Math.hypot(x - a, y - b))]));
}

const BEACONS = Object.fromEntries(
  PLACES.map(([x, y], at) => {
    const others = PLACES.slice(0, at).map(([a, b], other) => [
      IDS[other]!,
      Math.round(Math.hypot(x - a, y - b)),
    ]);
    return [
      IDS[at]!,
      { url: `https://${IDS[at]}.example.com`, latency: Object.fromEntries(others) as Latency },
    ];
  }),
);

const detailsWithLatency = (n: number): Details =>
  Details.of({ ...detailsNumber(n).fields, latency: latencyFrom(n) });

const inMs = (values: readonly number[]): string => median(values).toFixed(2);

async function measureQueries(): Promise<Figure[]> {
  progress(`${servers} game servers`);
  const flags = ['--log-level=warn', '--ttl=86400', `--beacons=${JSON.stringify(BEACONS)}`];
  const service = await startService({ flags, isProbed: true });
  await new Poster(service.url).list(servers, 0, detailsWithLatency);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let asked = 0;
  const near = (): string => {
    const said = Object.entries(latencyFrom((asked += 1) + 500_000)).map(([id, ms]) => `${id}:${ms}`);
    return `/servers?near=${said.join(',')}&sort=near&limit=50`;
  };
  const players = (): string =>
    `/servers?players=${(asked += 1) % 32}..&sort=-players&limit=50&q=number+${asked}`;
  const costs = { near: [] as number[], beacons: [] as number[], players: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    progress(`queries, round ${round} of ${rounds}`);
    for (const [name, path] of [
      ['near', near],
      ['players', players],
      ['beacons', () => '/beacons'],
    ] as const) {
      const cost = await cpuMsOf(service, agent, path);
      // The first round warms up.
      if (round > 0) costs[name].push(cost);
    }
  }
  agent.destroy();
  await service.stop();
  return [
    {
      name: `the nearest 50 of ${servers}, never asked before: CPU ms`,
      value: inMs(costs.near),
      goal: '≤ 1.5',
    },
    { name: '… by players and a search, never asked before: CPU ms', value: inMs(costs.players), goal: '' },
    { name: '… of which any request takes: CPU ms', value: inMs(costs.beacons), goal: '' },
  ];
}

/** The CPU that the service uses for one request. */
async function cpuMsOf({ url, pid }: Service, agent: Agent, path: () => string): Promise<number> {
  const before = readPreciseCpuUs(pid!);
  for (let n = 0; n < queries; n += 1) {
    const [answer] = (await once(get(url + path(), { agent }), 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`a query was answered with ${answer.statusCode}`);
    await once(answer.resume(), 'end');
  }
  return (readPreciseCpuUs(pid!) - before) / queries / 1000;
}

async function measurePings(): Promise<Figure> {
  progress('pings with and without distances');
  const redis = await startTimedRedis();
  const { registry, close } = await openListedRegistry(redis.port);
  const loadOf = async (say: (n: number) => GameServer): Promise<Load> => {
    const listed = await fill(registry, 1000, say);
    return {
      async run() {
        let sent = 0;
        const sendOn = async (): Promise<void> => {
          while (sent < pings) {
            const { id, n } = listed[(sent += 1) % listed.length]!;
            await registry.ping(id, say(n));
          }
        };
        await Promise.all(Array.from({ length: 32 }, sendOn));
        return pings;
      },
    };
  };
  const details = new Map<number, Details>();
  const saying =
    (detailsOf: (n: number) => Details, offset: number) =>
    (n: number): GameServer => {
      const known = details.get(n + offset) ?? detailsOf(n);
      details.set(n + offset, known);
      return { ...gameServerNumber(n), port: 1000 + offset / 1000, details: known };
    };
  const loads = {
    without: await loadOf(saying(detailsNumber, 0)),
    with: await loadOf(saying(detailsWithLatency, 1_000_000)),
  };
  const costs = await measureInTurn(loads, rounds, redis.meter);
  await close();
  await redis.stop();
  return {
    name: 'an unchanged ping with 12 distances, of one without: CPU of Redis',
    value: `${(costs.with / costs.without).toFixed(3)} (${costs.with.toFixed(1)} µs)`,
    goal: '≤ 1.03',
  };
}

/** The least that answers alike. */
const FLOOR = `require('node:http').createServer((_, response) => {
  response.sendDate = false;
  response.writeHead(204, ['Access-Control-Allow-Origin', '*', 'Timing-Allow-Origin', '*', 'Cache-Control', 'no-store']);
  response.end();
}).listen(0, '127.0.0.1', function () { console.log('on http://127.0.0.1:' + this.address().port); });`;

async function measureBeacon(): Promise<Figure> {
  const beacon = ['dist/cli.js', 'beacon', '--port=0', '--host=127.0.0.1', '--per-minute=1000000000'];
  const subjects = await Promise.all([startPrinting(['-e', FLOOR]), startPrinting(beacon)]);
  const perSecond: number[][] = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    progress(`a beacon, round ${round} of ${rounds}`);
    for (const [at, { url }] of subjects.entries()) {
      const requests = [{ method: 'GET', path: '/', headers: {}, body: '' }];
      const load = await runLoad({ url, requests, seconds, connections: 32 });
      if (load.errors > 0) throw new Error(`${load.errors} requests failed`);
      if (round > 0) perSecond[at]!.push(load.requests / load.seconds);
    }
  }
  await Promise.all(subjects.map(({ child }) => end(child)));
  const [floor, ours] = perSecond.map(median) as [number, number];
  return {
    name: 'requests a second of a beacon, of raw node:http',
    value: `${(ours / floor).toFixed(2)} (${ours.toFixed(0)})`,
    goal: '≥ 0.9',
  };
}

/** Starts Node; its first line ends with the URL. */
async function startPrinting(
  args: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, url: /http:\S+/.exec(line)![0].replace('localhost', '127.0.0.1') };
}

const figures = [...(await measureQueries()), await measurePings(), await measureBeacon()];
printFigures(options.json, figures);
process.exit(0);
