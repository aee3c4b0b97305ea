/**
 * Clients that follow the list over three replicas on a real Redis, while replicas stop and start and Redis loses all.
 */

import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Service } from '../../../src/service/service.ts';
import { ask } from '../../support/ask.ts';
import { aBroadcast, aGameServer } from '../../support/builders.ts';
import { ChangesFollower, type ToldChanges } from '../../support/follow-changes.ts';
import { freePort } from '../../support/free-port.ts';
import { needs } from '../../support/needs.ts';
import { startRedisServer, type RedisServer } from '../../support/redis-server.ts';
import { runs } from '../../support/runs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { until } from '../../support/until.ts';

const FILTERS = ['', 'players=1..', 'players=0', 'name=s1*&players=..1'];

needs('redis-server').describe('following the list over three replicas', function () {
  this.timeout(300_000);
  let redis: RedisServer;
  let ports: readonly number[];
  let replicas: Service[];
  let followers: ChangesFollower[];
  /** Of the listed. */
  let ids: string[];

  const start = (port: number): Promise<Service> =>
    startTestService({
      GSLS_REDIS: redis.url,
      GSLS_PORT: String(port),
      GSLS_FEED_INTERVAL: '100',
      GSLS_TTL: '3600',
    });

  beforeEach(async () => {
    redis = await startRedisServer();
    ports = await Promise.all([freePort(), freePort(), freePort()]);
    replicas = await Promise.all(ports.map(start));
    ids = [];
    followers = [];
  });
  afterEach(async () => {
    await Promise.all(followers.map((follower) => follower.stop()));
    await Promise.all(replicas.map((replica) => replica.close()));
    await redis.stop();
  });

  async function restart(which: number): Promise<void> {
    await replicas[which]!.close();
    replicas[which] = await start(ports[which]!);
  }

  function follow(): void {
    const urls = ports.map((port) => `http://127.0.0.1:${port}`);
    followers = FILTERS.flatMap((filters, index) =>
      (['polls', 'stream'] as const).map((by) => {
        const first = urls.slice(index % 3);
        const options = { urls: [...first, ...urls.slice(0, index % 3)], by, filters };
        return new ChangesFollower({ ...options, isGzip: index % 2 === 0 }).start();
      }),
    );
  }

  /** Sends it to some replica until one carries it out. One that was refused may have been carried out all the same. */
  async function write(call: string, body: Record<string, unknown>): Promise<string | undefined> {
    const headers = { 'Idempotency-Key': randomUUID() };
    for (let attempt = Math.floor(Math.random() * 3); ; attempt += 1) {
      const target = { host: '127.0.0.1', port: ports[attempt % 3]! };
      const answer = await ask(target, call, { body, headers }).catch(() => undefined);
      if (answer !== undefined && answer.status < 500) return answer.body.server_id;
    }
  }

  async function change(round: number): Promise<void> {
    const place = Math.floor(Math.random() * (ids.length + 1));
    const fields = { server_name: `s${place}`, players: round % 3 };
    const id = ids[place];
    if (id === undefined) ids.push((await write('POST /broadcast', aBroadcast(fields)))!);
    else if (round % 4 === 0) {
      await write('POST /remove', { server_id: id, server_ip: aGameServer().ip });
      ids.splice(place, 1);
    } else await write('POST /ping', aBroadcast({ server_id: id, ...fields }));
  }

  /** What matches in the current list: one that Redis does not confirm in time is marked as stale. */
  async function listed(filters: string): Promise<ToldChanges> {
    const target = { host: '127.0.0.1', port: ports[0]! };
    for (;;) {
      const { status, headers, body } = await ask(target, `GET /changes?${filters}`);
      if (status === 200 && headers['warning'] === undefined) return body as unknown as ToldChanges;
    }
  }

  async function expectAllToHaveTheList(): Promise<void> {
    expect((await listed('')).servers.map(({ id }) => id).toSorted()).to.deep.equal(ids.toSorted());
    const lists: ToldChanges[] = [];
    await until(async () => {
      const { tag } = followers[0]!;
      if (!followers.every((follower) => follower.tag === tag)) return false;
      lists.length = 0;
      for (const filters of FILTERS) lists.push(await listed(filters));
      return [...lists, ...followers].every((each) => each.tag === tag);
    });
    expect(lists[0]!.servers.map(({ id }) => id).toSorted()).to.deep.equal(ids.toSorted());
    for (const [index, follower] of followers.entries()) {
      const expected = lists[Math.floor(index / 2)]!.servers;
      expect([...follower.servers.values()].toSorted(byId)).to.deep.equal([...expected].toSorted(byId));
      expect(follower.complaints).to.deep.equal([]);
    }
  }

  it('ends with exactly the list, and never begins anew, while all are restarted one after the other', async () => {
    follow();
    const rounds = runs(36);
    for (let round = 0; round < rounds; round += 1) {
      if (round % (rounds / 3) === rounds / 6) {
        const which = Math.floor((3 * round) / rounds);
        const restarted = restart(which);
        for (let more = 0; more < 5; more += 1) await change(round + more);
        await restarted;
      }
      await change(round);
    }
    await expectAllToHaveTheList();
    expect(followers.map(({ fulls }) => fulls)).to.deep.equal(followers.map(() => 1));
  });

  it('ends with exactly the list after Redis was emptied and was away', async () => {
    follow();
    for (let round = 0; round < 15; round += 1) await change(round);
    await redis.crash();
    await redis.restart();
    for (let round = 0; round < 15; round += 1) await change(round);
    redis.freeze();
    const late = change(15);
    await until(() => followers.some(({ failures, told }) => failures + told.length > 0));
    redis.thaw();
    await late;
    for (let round = 16; round < 24; round += 1) await change(round);
    await expectAllToHaveTheList();
  });
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}
