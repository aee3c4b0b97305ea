/** What one replica has acknowledged, the next one lists: each write is followed by a read at the next replica. */

import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcesses } from '../support/processes.ts';
import { openRawConnection, plainRequest, type RawAnswer } from '../support/raw-connection.ts';
import { now } from '../support/load/recorder.ts';
import { report } from './support/report.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';
import { startSetup, type Setup } from './support/setup.ts';

const WRITERS = 24;
/** The pings of one game server; with its broadcast and its removal that is two pairs more. */
const PINGS = 8;
const PAUSE_MS = 5;
const MOST_PLAYERS = 1_000_000;

interface Pairs {
  readonly wanted: number;
  /** Of a write that succeeded and a current list. */
  counted: number;
  /** Pairs whose list was stale. */
  stale: number;
  refusedWrites: number;
  longestAnswerMs: number;
  readonly misses: string[];
}

describe('read your writes', function () {
  this.timeout(600_000);
  let redis: SingleRedis;
  let setup: Setup;

  before(async () => {
    redis = await startSingleRedis(APPEND_ONLY);
    setup = await startSetup({ store: redis, ttlSeconds: 60 });
  });

  after(async () => {
    await setup?.stop();
    await endProcesses();
  });

  it('T18: 100,000 writes at one replica are read at the next', async () => {
    const pairs = await measure('T18: 100,000 writes read at the next replica', 100_000);
    expect(pairs).to.deep.include({ stale: 0, refusedWrites: 0 });
  });

  it('T18: writes are read at the next replica while the scripts are flushed each 100 ms', async () => {
    const pairs = await measure('T18: 10,000, while the scripts are flushed each 100 ms', 10_000, 100, () =>
      redis.client.script('FLUSH'),
    );
    expect(pairs).to.deep.include({ refusedWrites: 0 });
  });

  it('T18: writes are read at the next replica while all connections to Redis are closed each 200 ms', async () => {
    await measure('T18: 2,000, while all connections to Redis are closed each 200 ms', 2000, 200, () =>
      redis.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    );
  });

  async function measure(
    title: string,
    wanted: number,
    disturbEachMs?: number,
    disturb?: () => Promise<unknown>,
  ): Promise<Pairs> {
    const pairs: Pairs = { wanted, counted: 0, stale: 0, refusedWrites: 0, longestAnswerMs: 0, misses: [] };
    const disturbance = disturb && setInterval(() => void disturb(), disturbEachMs);
    const from = now();
    try {
      await Promise.all(Array.from({ length: WRITERS }, (_, index) => writeAndRead(setup, index, pairs)));
    } catch (error) {
      pairs.misses.push((error as Error).message);
    } finally {
      clearInterval(disturbance);
    }
    const { misses, longestAnswerMs, refusedWrites, stale } = pairs;
    report({
      fault: title,
      errors: refusedWrites === 0 ? '' : `503×${refusedWrites}`,
      longestAnswerMs,
      lost: misses.length,
      reasons: misses.slice(0, 3),
      notes: [`${pairs.counted} pairs in ${((now() - from) / 1000).toFixed(0)} s, ${stale} stale lists`],
    });
    expect(misses).to.deep.equal([]);
    return pairs;
  }
});

/**
 * One game server after the other broadcasts, pings and is removed; after each step the next replica's list is read.
 */
async function writeAndRead(setup: Setup, writer: number, pairs: Pairs): Promise<void> {
  const clients = await Promise.all(setup.replicas.map((replica) => openRawConnection(replica)));
  let turn = writer;
  let players = writer;

  async function askAt(
    replica: number,
    request: string,
  ): Promise<Omit<RawAnswer, 'body'> & { readonly text: string }> {
    const from = now();
    const { body, ...answer } = await clients[replica % clients.length]!.send(request).answer();
    pairs.longestAnswerMs = Math.max(pairs.longestAnswerMs, now() - from);
    return { ...answer, text: body.toString() };
  }

  /** Repeats the write until it is acknowledged. */
  async function write(path: string, fields: object): Promise<string> {
    turn += 1;
    for (let attempt = 1; ; attempt += 1) {
      const { status, text } = await askAt(turn, plainRequest(`POST ${path}`, fields));
      // A removal that was refused may have been carried out.
      if (status === 200 || (path === '/remove' && status === 404 && attempt > 1)) return text;
      if (status !== 503) throw new Error(`${path}: ${status} ${text}`);
      pairs.refusedWrites += 1;
      await delay(PAUSE_MS);
    }
  }

  async function read(what: string, isRight: (list: string) => boolean): Promise<void> {
    const { status, headers, text } = await askAt(turn + 1, plainRequest('GET /'));
    if (status !== 200) throw new Error(`a list: ${status} ${text}`);
    if (headers['warning'] !== undefined) {
      pairs.stale += 1;
      return;
    }
    pairs.counted += 1;
    if (!isRight(text)) pairs.misses.push(`pair ${pairs.counted}: ${what} was not in the list`);
  }

  while (pairs.counted < pairs.wanted) {
    const fields = {
      server_host: 'game.example.com',
      server_name: `writer ${writer}`,
      server_port: 7777,
      server_ip: '203.0.113.7',
      players: 0,
      max_players: MOST_PLAYERS,
    };
    const { server_id: id } = JSON.parse(await write('/broadcast', fields)) as { server_id: string };
    await read('a broadcast', (list) => list.includes(id));
    for (let i = 0; i < PINGS; i += 1) {
      // No other writer ever has as many.
      players = (players + WRITERS) % MOST_PLAYERS;
      await write('/ping', { ...fields, server_id: id, players });
      await read('a ping', (list) => list.includes(`"players":${players},`));
    }
    await write('/remove', { server_id: id, server_ip: fields.server_ip });
    await read('a removal', (list) => !list.includes(id));
  }
  for (const client of clients) client.destroy();
}
