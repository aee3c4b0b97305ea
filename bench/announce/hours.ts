/**
 * `npm run bench:hours`: the heap of `gsls announce` after each simulated hour, with game servers that now and then
 * lose an answer, and a service that now and then gives none. It has to stay what it was after the first one.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { createAnnouncing, type Announcing } from '../../src/announce/announcing.ts';
import type { Reading } from '../../src/announce/sources/game-state.ts';
import type { Environment } from '../../src/client/environment.ts';
import type { GameServerSettings } from '../../src/config/announce-config.ts';
import { silentLogger } from '../../test/support/start-test-service.ts';
import { readOptions } from '../support/options.ts';
import { printResult, tableOf } from '../support/table.ts';

const options = readOptions('bench:hours', {
  servers: [100, 'game servers'],
  hours: [8, 'to simulate'],
  json: [false, 'for programs'],
});

const HOUR_MS = 3_600_000;
const MB = 1e6;
const LOST_READINGS = 0.01;
const LOST_ANSWERS = 0.02;
/** The heap at the end, as a multiple of that after the first hour. */
const MOST_GROWTH = 1.1;

/** Tasks by their time, which goes on as soon as they are done. */
class Timeline {
  now = 0;
  /** By ms: many are due in one. */
  readonly #due = new Map<number, Set<() => void>>();

  after(ms: number, task: () => void): () => void {
    const at = Math.ceil(this.now + ms);
    const tasks = this.#due.get(at) ?? new Set();
    this.#due.set(at, tasks.add(task));
    return () => void tasks.delete(task);
  }

  async goTo(end: number): Promise<void> {
    for (; this.now < end; this.now += 1)
      // What is done at once is due in this ms, too.
      for (let tasks = this.#due.get(this.now); tasks !== undefined; tasks = this.#due.get(this.now)) {
        this.#due.delete(this.now);
        for (const task of tasks) task();
        await turn();
      }
  }
}

const timeline = new Timeline();
const counted = { readings: 0, requests: 0 };

const environment: Environment = {
  now: () => timeline.now,
  random: Math.random,
  after: (ms, task) => timeline.after(ms, task),
  async fetch(url) {
    counted.requests += 1;
    if (Math.random() < LOST_ANSWERS) throw new TypeError('no answer');
    const isBroadcast = url.endsWith('/broadcast');
    const id = `${counted.requests}`;
    return new Response(JSON.stringify({ status: 'success', ...(isBroadcast && { server_id: id }) }), {
      headers: { 'Server-Ping-Interval': '20', ...(isBroadcast && { 'Server-Token': id }) },
    });
  },
};

async function read(): Promise<Reading> {
  counted.readings += 1;
  if (Math.random() < LOST_READINGS) return { is: 'silent', why: 'lost' };
  return { is: 'told', state: { players: Math.floor(16 * Math.random()), map: `map ${Math.random()}` } };
}

const settingsOf = (n: number): GameServerSettings => ({
  source: { is: 'state', path: '', maxAgeMs: Infinity },
  services: [{ url: 'http://service.example', key: undefined }],
  queryIntervalMs: 5000,
  queryTimeoutMs: 1000,
  identity: `:${n}`,
  host: 'game.example',
  port: 1 + n,
  ip: 'auto',
  name: `Server ${n}`,
  maxPlayers: 16,
  details: {},
  isUnlisted: false,
});

interface Row {
  readonly hour: number;
  readonly heapMb: number;
  readonly readings: number;
  readonly requests: number;
  readonly listed: number;
}

async function simulate({ servers }: Announcing, hour: number): Promise<Row> {
  await timeline.goTo(hour * HOUR_MS);
  globalThis.gc!();
  const { heapUsed } = process.memoryUsage();
  return { hour, heapMb: heapUsed / MB, ...counted, listed: servers.filter((each) => each.isListed).length };
}

const announcing = createAnnouncing({
  gameServers: Array.from({ length: options.servers }, (_, n) => settingsOf(n)),
  openSource: () => ({ read, close: () => undefined }),
  tokenFileOf: () => undefined,
  environment,
  logger: silentLogger,
});
announcing.start();
const rows: Row[] = [];
for (let hour = 1; hour <= options.hours; hour += 1) rows.push(await simulate(announcing, hour));
const growth = rows.at(-1)!.heapMb / rows[0]!.heapMb;
printResult(options.json, { rows, growth }, () =>
  [
    ...tableOf(rows, [
      ['hour', ({ hour }) => `${hour}`],
      ['heap, MB', ({ heapMb }) => heapMb.toFixed(2)],
      ['looks', ({ readings }) => `${readings}`],
      ['requests', ({ requests }) => `${requests}`],
      ['listed', ({ listed }) => `${listed}`],
    ]),
    '',
    `${growth.toFixed(2)} × the heap of the first hour (goal: ≤ ${MOST_GROWTH} ${growth <= MOST_GROWTH ? '✓' : '✗'})`,
    '',
  ].join('\n'),
);
process.exit();
