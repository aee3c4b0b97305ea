/**
 * `npm run bench:readers`: what any reading request costs the pings beside it, if it is sent by many connections of one
 * client and never repeated. In memory, on Redis, and at three replicas behind HAProxy with deploy/haproxy.cfg, which
 * takes out a replica that answers too late. Beside it stands what pings take while the connections ask for `/health`.
 */

import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../../test/support/free-port.ts';
import { until } from '../../test/support/until.ts';
import { startSite } from '../fleet/site.ts';
import { median } from '../support/median.ts';
import type { ReadersOrder, ReadersReport } from './readers-process.ts';
import { READING_ROUTES } from './routes.ts';
import { bodyOf, detailsNumber, gameServerNumber, type Listed } from '../support/requests.ts';
import { markdownTable } from '../support/table.ts';

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    pause: { type: 'string', default: '100' },
    pings: { type: 'string', default: '200' },
    only: { type: 'string', default: '' },
    on: { type: 'string', default: 'memory,redis,haproxy' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) {
  process.stdout.write(`npm run bench:readers -- [options]
  --servers 10000             game servers that are listed
  --connections 200           of the readers, all of one client
  --pause 100                 ms that each connection waits after an answer or a refusal; without a pause short answers
                              alone take all of two cores
  --pings 200                 a second beside them, each with other players
  --seconds 5                 each measurement lasts
  --rounds 3                  of each route, of which the median counts
  --only /changes             the routes whose name contains this
  --on memory,redis,haproxy   where
  --json                      for programs
`);
  process.exit(0);
}

const HOST = '127.0.0.1';
const ADMIN_KEY = 'a-key-of-moderators';
const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const READERS = fileURLToPath(new URL('readers-process.ts', import.meta.url));
const FLAGS = [`--admin-key=${ADMIN_KEY}`, '--allow-unlisted', '--log-level=error', '--ttl=86400'];
/** A client with many open pings is no game server: so many wait for their answers at most. */
const PING_CONNECTIONS = 64;
const PING_TIMEOUT_MS = 5000;
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
  takenOut(): number;
  close(): Promise<void>;
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
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM, `--host=${HOST}`, `--port=${port}`, ...FLAGS], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  await until(async () => (await fetch(`http://${HOST}:${port}/health`).catch(() => undefined))?.ok === true);
  return { port, takenOut: () => 0, close: () => end(child) };
}

async function startOnSite(replicas: number, isBare: boolean): Promise<Target> {
  const flags = FLAGS.filter((flag) => !flag.startsWith('--ttl'));
  const site = await startSite({ replicas, isBare, ttlS: 86_400, flags });
  return { port: site.frontPort, takenOut: () => site.takenOut(), close: () => site.close() };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const agent = new Agent({ keepAlive: true, maxSockets: PING_CONNECTIONS });

/** Resolves with the status and the text. Rejects if there is no answer in time. */
function post(port: number, path: string, body: string): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: HOST, port, path, method: 'POST', agent, timeout: PING_TIMEOUT_MS },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => resolve([answer.statusCode!, text]));
        answer.once('error', reject);
      },
    );
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function list(port: number, count: number): Promise<readonly Listed[]> {
  const listed: Listed[] = [];
  let next = 0;
  const broadcastMany = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const body = bodyOf({ ...gameServerNumber(n), details: detailsNumber(n) });
      const [, text] = await post(port, '/broadcast', body);
      listed.push({ id: (JSON.parse(text) as { readonly server_id: string }).server_id, n });
    }
  };
  await Promise.all(Array.from({ length: PING_CONNECTIONS }, broadcastMany));
  return listed;
}

/** Pings at a steady pace until the returned function is called, which resolves with how long each took, ms. */
function startPings(port: number, listed: readonly Listed[], perSecond: number) {
  const tookMs: number[] = [];
  const pending = new Set<Promise<void>>();
  let failed = 0;
  let sent = 0;
  const startedAt = performance.now();
  const ping = async (): Promise<void> => {
    const { id, n } = listed[(sent * 7919) % listed.length]!;
    const body = bodyOf({ ...gameServerNumber(n, sent % 64), details: detailsNumber(n) }, id);
    const beganAt = performance.now();
    const status = await post(port, '/ping', body).then(
      ([code]) => code,
      () => 0,
    );
    tookMs.push(performance.now() - beganAt);
    if (status !== 200) failed += 1;
  };
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - startedAt) / 1000) * perSecond; sent += 1) {
      const pinging = ping().finally(() => pending.delete(pinging));
      pending.add(pinging);
    }
  }, 5);
  return async () => {
    clearInterval(timer);
    await Promise.all(pending);
    return { tookMs: tookMs.toSorted((a, b) => a - b), failed };
  };
}

async function measure(target: Target, route: string, listed: readonly Listed[]): Promise<Measured> {
  const seconds = Number(options.seconds);
  const { port } = target;
  const changes = await (await fetch(`http://${HOST}:${port}/changes?name=none`)).json();
  const { tag } = changes as { readonly tag: string };
  const readers = fork(READERS, { execArgv: ['--import', 'tsx/esm'] });
  const ask = async (message: ReadersOrder | 'report'): Promise<ReadersReport> => {
    readers.send(message);
    return ((await once(readers, 'message')) as [ReadersReport])[0];
  };
  const downBefore = target.takenOut();
  await ask({
    port,
    connections: Number(options.connections),
    route,
    listed: listed.slice(0, 1000),
    tag,
    adminKey: ADMIN_KEY,
    pauseMs: Number(options.pause),
  });
  await delay(WARM_UP_MS);
  const before = (await ask('report')).answers;
  const stopPings = startPings(port, listed, Number(options.pings));
  await delay(1000 * seconds);
  const { tookMs, failed } = await stopPings();
  const after = (await ask('report')).answers;
  const takenOut = target.takenOut() - downBefore;
  await end(readers);
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
    answered: (all - refused) / seconds,
    refusedShare: all === 0 ? 0 : refused / all,
    takenOut,
  };
}

function middleOf(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured): number => median(rounds.map((round) => round[key]));
  return {
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    maxMs: Math.max(...rounds.map(({ maxMs }) => maxMs)),
    failedPings: Math.max(...rounds.map(({ failedPings }) => failedPings)),
    answered: of('answered'),
    refusedShare: of('refusedShare'),
    takenOut: Math.max(...rounds.map(({ takenOut }) => takenOut)),
  };
}

const results: (Measured & { readonly on: string; readonly route: string; readonly floorP99Ms: number })[] =
  [];
for (const on of options.on.split(',')) {
  const target = await STARTS[on]!();
  const listed = await list(target.port, Number(options.servers));
  const routes = READING_ROUTES.filter(({ name }) => name.includes(options.only));
  let floorP99Ms = 0;
  for (const [index, { name: route }] of routes.entries()) {
    if (index % ROUTES_OF_A_FLOOR === 0) floorP99Ms = (await measure(target, FLOOR, listed)).p99Ms;
    const rounds: Measured[] = [];
    for (let round = 0; round < Number(options.rounds); round += 1)
      rounds.push(await measure(target, route, listed));
    const measured = middleOf(rounds);
    results.push({ on, route, floorP99Ms, ...measured });
    process.stderr.write(
      `${on} ${route}: pings p99 ${measured.p99Ms.toFixed(1)} ms, floor ${floorP99Ms.toFixed(1)} ms\n`,
    );
  }
  await target.close();
}

const rows = results.map((row) => [
  `${row.on}: ${row.route}`,
  `${row.p50Ms.toFixed(1)} / ${row.p99Ms.toFixed(1)} / ${row.maxMs.toFixed(0)}${row.p99Ms > GOAL_P99_MS ? ' FAILED' : ''}`,
  row.floorP99Ms.toFixed(1),
  String(row.failedPings),
  row.answered.toFixed(0),
  `${(100 * row.refusedShare).toFixed(0)} %`,
  String(row.takenOut),
]);
const head = [
  '',
  'pings, p50 / p99 / max ms',
  `p99 beside ${FLOOR}`,
  'pings failed',
  'answers/s',
  'refused',
  'replicas taken out',
];
process.stdout.write(
  options.json ? `${JSON.stringify(results, null, 2)}\n` : `${markdownTable(head, rows).join('\n')}\n`,
);
process.exit(0);
