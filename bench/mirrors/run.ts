/**
 * `npm run bench -- mirrors`: a mirror of three origins in memory, on one machine. What it costs while nobody reads,
 * how soon it has what an origin has acknowledged, what it takes from an origin, its start, and its lists beside those
 * of an origin.
 */

import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { addDuration, createCounts, summarize } from '../support/histogram.ts';
import { printFigures, progress, type Figure } from '../support/figures.ts';
import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
import { median } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { atPace } from '../support/pace.ts';
import { startService, type Service } from '../support/processes.ts';
import { listRequest, type Listed } from '../support/requests.ts';
import { readPreciseCpuUs } from '../support/usage.ts';

const options = readOptions('mirrors', {
  servers: [33_000, 'game servers of each origin'],
  changes: [1000, 'changes a second, over all origins'],
  rounds: [3, 'of each measurement, of which the median counts'],
  seconds: [10, 'each measurement lasts'],
  json: [false, 'for programs'],
});
const { servers, changes, rounds, seconds } = options;
const ORIGINS = 3;
const LIST = listRequest({ 'Accept-Encoding': 'gzip' });
/** One change of so many is looked for in the mirror. */
const SAMPLED = 50;
const LOOK_MS = 5;

interface Origin {
  readonly service: Service;
  readonly poster: Poster;
  readonly listed: readonly Listed[];
}

const flags = ['--log-level=warn', '--ttl=86400', '--feed-interval=200'];

function startMirror(urls: readonly string[]): Promise<Service> {
  const of = urls.map((url, at) => `o${at}=${url}`).join(',');
  return startService({ flags: ['--log-level=warn', '--feed-interval=200', `--mirrors=${of}`] });
}

/** How many changes there were: each differs from the one before it of the same game server. */
let changed = 0;

/** Changes the players of one game server after the other, of all origins in turn, at the pace. */
function move(origins: readonly Origin[], onChanged: (listed: Listed, players: number) => void): () => void {
  return atPace(changes, (n) => {
    const { poster, listed } = origins[n % origins.length]!;
    const one = listed[Math.floor(n / origins.length) % listed.length]!;
    changed += 1;
    const players = 1000 + (changed % 900_000);
    void poster.ping(one, players).then(() => onChanged(one, players));
  });
}

async function measureCpu(origins: readonly Origin[], mirror: Service): Promise<number> {
  const stop = move(origins, () => undefined);
  await delay(2000);
  const [before, from] = [readPreciseCpuUs(mirror.pid!), performance.now()];
  await delay(seconds * 1000);
  const share = (readPreciseCpuUs(mirror.pid!) - before) / 1000 / (performance.now() - from);
  stop();
  return share;
}

/** From the answer to the ping until the mirror has it, in ms. */
async function measureDelay(origins: readonly Origin[], mirror: Service): Promise<number> {
  const counts = createCounts();
  let seen = 0;
  const stop = move(origins, ({ id }, players) => {
    seen += 1;
    if (seen % SAMPLED !== 0) return;
    const from = performance.now();
    const look = async (): Promise<void> => {
      const text = await fetch(`${mirror.url}/servers/${id}`).then(
        (answer) => answer.text(),
        () => '',
      );
      if (text.includes(`"players":${players},`)) addDuration(counts, performance.now() - from);
      else if (performance.now() - from < 10_000) setTimeout(() => void look(), LOOK_MS);
    };
    void look();
  });
  await delay(seconds * 1000);
  stop();
  await delay(1000);
  return summarize(counts).p99Ms;
}

/** Relays to the origin, and counts what it sends. */
async function countedTo(service: Service): Promise<{ readonly url: string; readonly bytes: () => number }> {
  let bytes = 0;
  const server = createServer((client) => {
    const origin = connect(service.port, '127.0.0.1');
    origin.on('data', (part) => (bytes += part.length));
    client.pipe(origin).pipe(client);
    for (const socket of [client, origin]) socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bytes: () => bytes };
}

/** What one origin sends a mirror in a minute with all the changes, against a reader that polls its list each 10 s. */
async function measureBytes(origin: Origin): Promise<number> {
  const counted = await countedTo(origin.service);
  const mirror = await startMirror([counted.url]);
  const stop = move([origin], () => undefined);
  await delay(2000);
  const before = counted.bytes();
  await delay(60_000);
  const told = counted.bytes() - before;
  const list = await countedTo(origin.service);
  await (await fetch(list.url)).arrayBuffer();
  stop();
  await mirror.stop();
  return told / (6 * list.bytes());
}

async function measureStart(urls: readonly string[]): Promise<number> {
  const from = performance.now();
  const mirror = await startMirror(urls);
  for (;;) {
    const { server_count: count } = (await (await fetch(`${mirror.url}/health`)).json()) as {
      server_count?: number;
    };
    if (count === ORIGINS * servers) break;
    await delay(LOOK_MS);
  }
  await (await fetch(mirror.url)).text();
  const took = performance.now() - from;
  await mirror.stop();
  return took / 1000;
}

/** Lists a second. */
async function listsOf(url: string): Promise<number> {
  const { requests, seconds: lasted } = await runLoad({ url, requests: [LIST], seconds, connections: 16 });
  return requests / lasted;
}

/** The lists of a mirror of one origin against those of the origin: each goes first in every second round. */
async function measureLists(origin: Origin, isMoving: boolean): Promise<number> {
  const mirror = await startMirror([origin.service.url]);
  const stop = isMoving ? move([origin], () => undefined) : () => undefined;
  const ratios: number[] = [];
  // The first round only warms both up.
  for (let round = 0; round <= 2 * rounds; round += 1) {
    const rates = new Map<Service, number>();
    const pair = [mirror, origin.service];
    for (const each of round % 2 === 0 ? pair : pair.toReversed()) rates.set(each, await listsOf(each.url));
    if (round > 0) ratios.push(rates.get(mirror)! / rates.get(origin.service)!);
  }
  stop();
  await mirror.stop();
  return median(ratios);
}

const origins: Origin[] = [];
for (let at = 0; at < ORIGINS; at += 1) {
  progress(`origin ${at + 1} of ${ORIGINS}: ${servers} game servers`);
  const service = await startService({ flags });
  const poster = new Poster(service.url);
  origins.push({ service, poster, listed: await poster.list(servers, at * servers) });
}
const urls = origins.map(({ service }) => service.url);

async function medianOf(name: string, measure: () => Promise<number>): Promise<number> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    progress(`${name}, round ${round + 1} of ${rounds}`);
    measured.push(await measure());
  }
  return median(measured);
}

const start = await medianOf('start', () => measureStart(urls));
const mirror = await startMirror(urls);
const cpu = await medianOf('CPU', () => measureCpu(origins, mirror));
const late = await medianOf('delay', () => measureDelay(origins, mirror));
await mirror.stop();
progress('bytes');
const bytes = await measureBytes(origins[0]!);
progress('lists at rest');
const atRest = await measureLists(origins[0]!, false);
progress('lists with changes');
const moving = await measureLists(origins[0]!, true);

const figures: Figure[] = [
  {
    name: `${ORIGINS * servers} game servers, from nothing to the first list, s`,
    value: start.toFixed(2),
    goal: '≤ 5',
  },
  {
    name: `CPU with ${changes} changes a second and no readers, of a core`,
    value: cpu.toFixed(3),
    goal: '≤ 0.2',
  },
  {
    name: 'a change, from its answer until the mirror has it, p99, ms',
    value: late.toFixed(0),
    goal: '≤ 300',
  },
  { name: 'bytes from an origin, against a list each 10 s', value: bytes.toFixed(2), goal: '≤ 0.5' },
  { name: 'lists of the mirror, against the origin, at rest', value: atRest.toFixed(2), goal: '≥ 0.97' },
  { name: '… with changes', value: moving.toFixed(2), goal: '≥ 0.97' },
];
printFigures(options.json, figures);
process.exit(0);
