/** What `gsls announce` keeps listed outlives replicas and the data of Redis: nobody misses it, and its ids stay. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { openA2sGame, type A2sGame } from '../support/a2s-game.ts';
import { numbers } from '../support/in-groups.ts';
import { now } from '../support/load/recorder.ts';
import { endProcesses, startProgram, type RunningProcess } from '../support/processes.ts';
import { PROGRAM } from '../support/program.ts';
import { until } from '../support/until.ts';
import { listedAt } from './support/announcers.ts';
import type { Replica } from './support/replica.ts';
import { report } from './support/report.ts';
import { startSetup, type Setup } from './support/setup.ts';
import { APPEND_ONLY, startSingleRedis, type SingleRedis } from './support/single-redis.ts';

const GAME_SERVERS = 20;
/** Of one replica after the other. */
const RESTARTS = 20;
const TTL_S = 6;
const RECOVERS_WITHIN_MS = 5000;
const POLL_MS = 50;

describe('game servers of gsls announce', function () {
  // A restart takes its time.
  this.timeout(300_000);

  let store: SingleRedis;
  let setup: Setup;
  let games: readonly A2sGame[];
  let sidecar: RunningProcess;
  let folder: string;
  /** By name, before the first fault. */
  let ids: ReadonlyMap<string, string>;

  before('20 of them, in one process', async () => {
    store = await startSingleRedis(APPEND_ONLY);
    setup = await startSetup({ store, ttlSeconds: TTL_S, environment: { GSLS_DRAIN_DELAY: '1' } });
    games = await Promise.all(numbers(GAME_SERVERS).map((n) => openA2sGame(`Announced ${n}`)));
    folder = mkdtempSync(join(tmpdir(), 'gsls-'));
    const path = join(folder, 'servers.json');
    writeFileSync(
      path,
      JSON.stringify({
        to: `http://${setup.front.host}:${setup.front.port}`,
        // HAProxy hides where it comes from.
        ip: '203.0.113.7',
        'query-interval': 1,
        servers: games.map(({ port }) => ({ query: `a2s 127.0.0.1:${port}` })),
      }),
    );
    const args = ['announce', '--config', path, '--token-dir', join(folder, 'tokens')];
    sidecar = startProgram(process.execPath, [...PROGRAM, ...args]);
    const [first] = setup.replicas;
    await until(async () => (await idsAt(first!))?.size === GAME_SERVERS, sidecar);
    ids = (await idsAt(first!))!;
  });

  after(async () => {
    await sidecar?.stop('SIGTERM');
    await Promise.all((games ?? []).map((each) => each.close()));
    await setup?.stop();
    await endProcesses();
    rmSync(folder, { recursive: true, force: true });
  });

  it('T33: replicas are stopped and started in turn, 20 times, under gsls announce', () =>
    loseNothing('T33: replicas are stopped and started in turn, 20 times, under gsls announce', async () => {
      for (const n of numbers(RESTARTS)) {
        const replica = setup.replicas[n % setup.replicas.length]!;
        await replica.stop();
        await replica.start();
        await setup.believed(replica, 'UP');
      }
    }));

  it('T33: Redis is emptied under gsls announce', () =>
    loseNothing('T33: Redis is emptied under gsls announce', async () => {
      await store.client.flushall();
      await until(async () => (await store.client.zcard('{gsls}:servers')) === GAME_SERVERS);
    }));

  async function loseNothing(title: string, breakAndMend: () => Promise<unknown>): Promise<void> {
    const lost = new Set<string>();
    const changed = new Set<string>();
    const watching = new AbortController();
    const watchers = setup.replicas.map(async (replica) => {
      while (!watching.signal.aborted) {
        const found = await idsAt(replica);
        for (const [name, id] of found === undefined ? [] : ids) {
          if (!found!.has(name)) lost.add(name);
          else if (found!.get(name) !== id) changed.add(name);
        }
        await delay(POLL_MS);
      }
    });
    await breakAndMend();
    const mendedAt = now();
    await Promise.all(setup.replicas.map(untilSame));
    const recoveryMs = now() - mendedAt;
    // One that had stopped to ping would leave now.
    await delay(1000 * (TTL_S + 2));
    watching.abort();
    await Promise.all(watchers);
    const reasons = [
      ...(lost.size === 0 ? [] : [`current lists lacked ${lost.size} game servers`]),
      ...(changed.size === 0 ? [] : [`${changed.size} game servers have another id`]),
      ...(recoveryMs <= RECOVERS_WITHIN_MS ? [] : [`recovered after ${Math.round(recoveryMs)} ms only`]),
      ...(sidecar.ended ? [`gsls announce has ended: ${sidecar.lines.at(-1)}`] : []),
      ...setup.replicas.flatMap((replica) => replica.takeMisbehaviour()),
    ];
    report({ fault: title, errors: '', lost: lost.size, recoveryMs, reasons });
    expect(reasons, sidecar.lines.join('\n')).to.deep.equal([]);
  }

  /** Resolves once the replica lists the same as before. */
  async function untilSame(replica: Replica): Promise<void> {
    await until(async () => {
      const found = await idsAt(replica);
      return found !== undefined && [...ids].every(([name, id]) => found.get(name) === id);
    });
  }
});

/** Undefined without a current list. */
async function idsAt(replica: Replica): Promise<ReadonlyMap<string, string> | undefined> {
  const rows = await listedAt(replica);
  return rows && new Map(rows.map(({ name, id }) => [name, id]));
}
