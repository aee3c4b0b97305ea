/**
 * `npm run bench:readers`: what any reading request costs the pings beside it, if it is sent by many connections of one
 * client and never repeated. In memory, on Redis, and at three replicas behind HAProxy with deploy/haproxy.cfg, which
 * takes out a replica that answers too late. Beside it stands what pings take while the connections ask for `/health`.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { startSite } from '../fleet/site.ts';
import { Poster } from '../support/game-servers.ts';
import { medianOfEach } from '../support/median.ts';
import { readOptions } from '../support/options.ts';
import { atPace } from '../support/pace.ts';
import { HOST, startService, Worker } from '../support/processes.ts';
import type { Listed } from '../support/requests.ts';
import { printResult, tableOf } from '../support/table.ts';
import type { ReadersOrder, ReadersReport } from './readers-process.ts';
import { READING_ROUTES } from './routes.ts';

const options = readOptions('bench:readers', {
  servers: [10_000, 'game servers that are listed'],
  connections: [200, 'of the readers, all of one client'],
  pause: [
    100,
    'ms that each connection waits after an answer or a refusal; without a pause short answers alone take two cores',
  ],
  pings: [200, 'a second beside them, each with other players'],
  seconds: [5, 'each measurement lasts'],
  rounds: [3, 'of each route, of which the median counts'],
  only: ['', 'the routes whose name contains this'],
  on: ['memory,redis,haproxy', 'where'],
  json: [false, 'for programs'],
});

const ADMIN_KEY = 'a-key-of-moderators';
const FLAGS = [`--admin-key=${ADMIN_KEY}`, '--allow-unlisted', '--log-level=error'];
const TTL_S = 86_400;
const GOAL_P99_MS = 100;
/** What costs no work: pings beside it show what the machine and the connections take. */
const FLOOR = '/health';
/** The floor is measured anew after so many routes, as a shared machine does not stay as it is. */
const ROUTES_OF_A_FLOOR = 5;
/** Until readers and service are at their pace. */
const WARM_UP_MS = 1000;
/** Between two measurements: what waits is done by then, and a replica that was taken out is back. */
const REST_MS = 1500;

interface Target {
  readonly port: number;
  readonly takenOut: () => number;
  readonly close: () => Promise<unknown>;
}

interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly failedPings: number;
  /** A second. */
  readonly answered: number;
  /** Of all answers to readers. */
  readonly refusedShare: number;
  readonly takenOut: number;
}

const STARTS: Readonly<Record<string, () => Promise<Target>>> = {
  memory: startInMemory,
  redis: () => startOnSite(1, true),
  haproxy: () => startOnSite(3, false),
};

async function startInMemory(): Promise<Target> {
  const service = await startService({ flags: [...FLAGS, `--ttl=${TTL_S}`] });
  return { port: service.port, takenOut: () => 0, close: () => service.stop() };
}

async function startOnSite(replicas: number, isBare: boolean): Promise<Target> {
  const site = await startSite({ replicas, isBare, ttlS: TTL_S, flags: FLAGS });
  return { port: site.frontPort, takenOut: site.takenOut, close: site.close };
}

/** Pings at a steady pace until the returned function is called, which resolves with how long each took, ms. */
function startPings(poster: Poster, listed: readonly Listed[]) {
  const tookMs: number[] = [];
  const pending = new Set<Promise<void>>();
  let failed = 0;
  const ping = async (sent: number): Promise<void> => {
    const beganAt = performance.now();
    const answer = await poster
      .ping(listed[(sent * 7919) % listed.length]!, sent % 64)
      .catch(() => undefined);
    tookMs.push(performance.now() - beganAt);
    if (answer?.status !== 200) failed += 1;
  };
  const stop = atPace(options.pings, (sent) => {
    const pinging = ping(sent).finally(() => pending.delete(pinging));
    pending.add(pinging);
  });
  return async () => {
    stop();
    await Promise.all(pending);
    return { tookMs: tookMs.toSorted((a, b) => a - b), failed };
  };
}

async function measure(
  target: Target,
  route: string,
  poster: Poster,
  listed: readonly Listed[],
): Promise<Measured> {
  const { port } = target;
  const changes = await (await fetch(`http://${HOST}:${port}/changes?name=none`)).json();
  const readers = new Worker(new URL('readers-process.ts', import.meta.url));
  const downBefore = target.takenOut();
  await readers.ask({
    port,
    connections: options.connections,
    route,
    listed: listed.slice(0, 1000),
    tag: (changes as { readonly tag: string }).tag,
    adminKey: ADMIN_KEY,
    pauseMs: options.pause,
  } satisfies ReadersOrder);
  await delay(WARM_UP_MS);
  const before = (await readers.ask<ReadersReport>('report')).answers;
  const stopPings = startPings(poster, listed);
  await delay(1000 * options.seconds);
  const { tookMs, failed } = await stopPings();
  const after = (await readers.ask<ReadersReport>('report')).answers;
  const takenOut = target.takenOut() - downBefore;
  await readers.end();
  await delay(REST_MS);
  const count = (of: (status: number) => boolean): number =>
    Object.entries(after).reduce(
      (sum, [status, all]) => sum + (of(Number(status)) ? all - (before[Number(status)] ?? 0) : 0),
      0,
    );
  const refused = count((status) => status === 503 || status === 429);
  const all = count(() => true);
  return {
    p50Ms: tookMs[Math.floor(tookMs.length / 2)]!,
    p99Ms: tookMs[Math.floor(tookMs.length * 0.99)]!,
    maxMs: tookMs.at(-1)!,
    failedPings: failed,
    answered: (all - refused) / options.seconds,
    refusedShare: all === 0 ? 0 : refused / all,
    takenOut,
  };
}

/** The medians, and the worst of what should not be. */
function middleOf(rounds: readonly Measured[]): Measured {
  const worst = (key: keyof Measured): number => Math.max(...rounds.map((round) => round[key]));
  return {
    ...medianOfEach(rounds),
    maxMs: worst('maxMs'),
    failedPings: worst('failedPings'),
    takenOut: worst('takenOut'),
  };
}

const results: (Measured & { readonly on: string; readonly route: string; readonly floorP99Ms: number })[] =
  [];
for (const on of options.on.split(',')) {
  const target = await STARTS[on]!();
  const poster = new Poster(`http://${HOST}:${target.port}`);
  const listed = await poster.list(options.servers);
  const routes = READING_ROUTES.filter(({ name }) => name.includes(options.only));
  let floorP99Ms = 0;
  for (const [index, { name: route }] of routes.entries()) {
    if (index % ROUTES_OF_A_FLOOR === 0) floorP99Ms = (await measure(target, FLOOR, poster, listed)).p99Ms;
    const rounds: Measured[] = [];
    for (let round = 0; round < options.rounds; round += 1)
      rounds.push(await measure(target, route, poster, listed));
    const measured = middleOf(rounds);
    results.push({ on, route, floorP99Ms, ...measured });
    process.stderr.write(
      `${on} ${route}: pings p99 ${measured.p99Ms.toFixed(1)} ms, floor ${floorP99Ms.toFixed(1)} ms\n`,
    );
  }
  await target.close();
}

const table = (): string[] =>
  tableOf(results, [
    ['', ({ on, route }) => `${on}: ${route}`],
    [
      'pings, p50 / p99 / max ms',
      ({ p50Ms, p99Ms, maxMs }) =>
        `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} / ${maxMs.toFixed(0)}${p99Ms > GOAL_P99_MS ? ' FAILED' : ''}`,
    ],
    [`p99 beside ${FLOOR}`, ({ floorP99Ms }) => floorP99Ms.toFixed(1)],
    ['pings failed', ({ failedPings }) => failedPings],
    ['answers/s', ({ answered }) => answered.toFixed(0)],
    ['refused', ({ refusedShare }) => `${(100 * refusedShare).toFixed(0)} %`],
    ['replicas taken out', ({ takenOut }) => takenOut],
  ]);
printResult(options.json, results, () => `${table().join('\n')}\n`);
process.exit(0);
