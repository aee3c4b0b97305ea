/**
 * What the release does not know (claims, bans, quotas, the secret): beside its replicas it is kept, and it binds once
 * the last of them is gone.
 */

import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { describeWithRelease, RELEASE } from './support/release.ts';

const ADMIN_KEY = 'an admin key of the test';
/** The shortest: an expired entry can be revived for ten times as long. */
const TTL_SECONDS = 3;
const MOST_SERVERS = 5;

interface Replica {
  readonly url: string;
  readonly process: RunningProcess;
}

interface Owned {
  readonly id: string;
  readonly token: string;
}

describeWithRelease(`what ${RELEASE} does not know`, (release) => {
  let redis: SingleRedis;
  let older: Replica;
  let newer: Replica;

  beforeEach(async () => {
    redis = await startSingleRedis();
  });
  afterEach(async () => {
    await endProcesses();
    await redis.stop();
  });

  async function start(folder?: string, more: Record<string, string> = {}): Promise<Replica> {
    const port = String(await freePort());
    const environment = {
      ...redis.environment,
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: port,
      GSLS_TTL: String(TTL_SECONDS),
      ...more,
    };
    const replica = { url: `http://127.0.0.1:${port}`, process: await startReplica(environment, folder) };
    await until(async () => (await ask(replica, 'GET /health')).status === 200);
    return replica;
  }

  async function startBoth(more: Record<string, string> = {}): Promise<void> {
    older = await start(release());
    newer = await start(undefined, { GSLS_ADMIN_KEY: ADMIN_KEY, ...more });
  }

  async function claim(replica: Replica, overrides: Record<string, unknown> = {}): Promise<Owned> {
    const options = { body: aBroadcast(overrides), headers: { 'Server-Token': 'claim' } };
    const { body, headers } = await ask(replica, 'POST /broadcast', options);
    return { id: body.server_id!, token: String(headers['server-token']) };
  }

  async function broadcast(replica: Replica): Promise<string> {
    return (await ask(replica, 'POST /broadcast', { body: aBroadcast() })).body.server_id!;
  }

  function post(
    replica: Replica,
    path: string,
    id: string,
    token?: string,
    overrides: Record<string, unknown> = {},
  ): Promise<TestAnswer> {
    const headers = token === undefined ? {} : { 'Server-Token': token };
    return ask(replica, `POST ${path}`, { body: { ...aBroadcast(overrides), server_id: id }, headers });
  }

  async function listed(replica: Replica): Promise<readonly string[]> {
    return (await ask(replica, 'GET /')).body.servers!.map(({ id }) => id);
  }

  async function keepPinging(replica: Replica, ids: readonly string[]): Promise<void> {
    for (const id of ids) expect((await post(replica, '/ping', id)).status).to.equal(200);
  }

  async function expectOwned(replica: Replica, { id, token }: Owned): Promise<void> {
    expectError(await post(replica, '/ping', id), 'not_owner');
    expectError(await post(replica, '/remove', id), 'not_owner');
    expect((await post(replica, '/ping', id, token)).status).to.equal(200);
  }

  describe('claims', () => {
    it('are kept through what the release writes, and bind again on this version', async () => {
      await startBoth();
      const owned = await claim(newer);
      expect((await post(older, '/ping', owned.id, undefined, { players: 9 })).status).to.equal(200);
      await expectOwned(newer, owned);
      await older.process.stop('SIGTERM');
      await expectOwned(newer, owned);
    });

    it('are kept when the release lets the entry expire and revives it', async () => {
      await startBoth();
      const owned = await claim(newer);
      await newer.process.stop('SIGKILL');
      await until(async () => (await listed(older)).length === 0);
      expect((await post(older, '/ping', owned.id)).status).to.equal(200);
      await expectOwned(await start(), owned);
    });

    it('are kept, and no entry is lost, when Redis is emptied under both', async () => {
      await startBoth();
      const owned = await Promise.all(Array.from({ length: 30 }, () => claim(newer)));
      const free = await Promise.all(Array.from({ length: 30 }, (_, n) => broadcast(n % 2 ? older : newer)));
      const before = (await listed(newer)).toSorted();
      await listed(older);
      await redis.client.flushall();
      await until(async () => (await redis.client.zcard('{gsls}:servers')) === 60);
      await until(async () => (await ask(newer, 'GET /')).headers['warning'] === undefined);
      expect((await listed(newer)).toSorted()).to.deep.equal(before);
      await older.process.stop('SIGKILL');
      await Promise.all(owned.map((each) => expectOwned(newer, each)));
      for (const id of free) expect((await post(newer, '/ping', id)).status).to.equal(200);
    });

    it('are kept, as the secret is, through a time in which the release ran alone', async () => {
      await startBoth();
      const owned = await claim(newer);
      await newer.process.stop('SIGTERM');
      expect((await post(older, '/ping', owned.id)).status).to.equal(200);
      const back = await start();
      await older.process.stop('SIGTERM');
      await expectOwned(back, owned);
    });

    it('can be made on an entry that the release listed, with the token of its next broadcast', async () => {
      await startBoth();
      const headers = { 'Idempotency-Key': 'a key' };
      const first = await ask(older, 'POST /broadcast', { body: aBroadcast(), headers });
      expect(first.headers['server-token']).to.equal(undefined);
      const again = await ask(newer, 'POST /broadcast', { body: aBroadcast(), headers });
      expect(again.body.server_id).to.equal(first.body.server_id);
      const token = String(again.headers['server-token']);
      const id = first.body.server_id!;
      expect((await post(newer, '/ping', id, token)).status).to.equal(200);
      await expectOwned(newer, { id, token });
    });
  });

  describe('bans', () => {
    const admin = { Authorization: `Bearer ${ADMIN_KEY}` };

    it('hide nothing on the release, and bind everywhere once it is gone', async () => {
      await startBoth();
      const casino = { server_name: 'Casino 1' };
      const { id, token } = await claim(newer, casino);
      const other = await broadcast(older);
      const body = { name: '*casino*', reason: 'spam', mode: 'silent' };
      expect((await ask(newer, 'POST /admin/bans', { body, headers: admin })).status).to.be.within(200, 201);
      expect(await listed(newer)).to.deep.equal([other]);
      expect(await listed(older)).to.deep.equal([id, other]);
      await Promise.all([older, newer].map((each) => each.process.stop('SIGKILL')));
      for (const replica of [await start(), await start()]) {
        expect((await post(replica, '/ping', other)).status).to.equal(200);
        expect((await post(replica, '/ping', id, token, casino)).status).to.equal(200);
        expect(await listed(replica)).to.deep.equal([other]);
      }
    });

    it('outlive an emptied Redis beside the release', async () => {
      await startBoth();
      const body = { name: '*casino*', reason: 'spam', mode: 'refuse' };
      await ask(newer, 'POST /admin/bans', { body, headers: admin });
      await listed(older);
      await redis.client.flushall();
      await until(async () => (await redis.client.hexists('{gsls}:settings', 'moderation')) === 1);
      const last = await start();
      const casino = { body: aBroadcast({ server_name: 'Casino 2' }) };
      await until(async () => (await ask(last, 'POST /broadcast', casino)).status === 403);
      expectError(await ask(last, 'POST /broadcast', casino), 'banned');
    });
  });

  describe('quotas', () => {
    const limits = {
      GSLS_MAX_SERVERS: String(MOST_SERVERS),
      GSLS_MAX_SERVERS_PER_ADDRESS: String(MOST_SERVERS),
    };

    /** So many more are listed, and the next one is refused with the right count. */
    async function expectRoomFor(replica: Replica, count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) expect(await broadcast(replica)).to.be.a('string');
      const refused = await ask(replica, 'POST /broadcast', { body: aBroadcast() });
      expectError(refused, 'quota_exceeded');
      expect(refused.body.error).to.match(new RegExp(`^${MOST_SERVERS} servers`));
    }

    it('count what the release listed, and never refuse its pings', async () => {
      await startBoth(limits);
      const ids: string[] = [];
      for (let n = 0; n < MOST_SERVERS + 2; n += 1) ids.push(await broadcast(older));
      await older.process.stop('SIGTERM');
      await keepPinging(newer, ids);
      expectError(await ask(newer, 'POST /broadcast', { body: aBroadcast() }), 'quota_exceeded');
      // The client of each is told by a later ping, one in 16 at the least.
      await until(async () => {
        await keepPinging(newer, ids);
        return (await redis.client.zcard('{gsls}:clients')) === ids.length;
      });
      for (const id of ids.slice(0, 4)) expect((await post(newer, '/remove', id)).status).to.equal(200);
      await expectRoomFor(newer, 2);
    });

    it('do not count what the release removed or revived', async () => {
      newer = await start(undefined, limits);
      const ids: string[] = [];
      for (let n = 0; n < MOST_SERVERS; n += 1) ids.push(await broadcast(newer));
      await until(async () => (await redis.client.zcard('{gsls}:expired')) === MOST_SERVERS);
      older = await start(release());
      await keepPinging(older, ids);
      for (const id of ids.slice(3)) expect((await post(older, '/remove', id)).status).to.equal(200);
      await older.process.stop('SIGKILL');
      await until(async () => {
        await keepPinging(newer, ids.slice(0, 3));
        const counted = await redis.client.zcard('{gsls}:clients');
        return counted === 3 && (await redis.client.zcard('{gsls}:expired')) === 0;
      });
      await expectRoomFor(newer, MOST_SERVERS - 3);
    });
  });

  it('is left alone by the release that mends damaged keys, and by its reset', async () => {
    await startBoth();
    const { id, token } = await claim(newer);
    const settings = await redis.client.hgetall('{gsls}:settings');
    expect(settings['secret']).to.be.a('string');
    await newer.process.stop('SIGKILL');
    await redis.client.zrem('{gsls}:changes', id);
    await until(async () => (await redis.client.zscore('{gsls}:changes', id)) !== null);
    await until(async () => (await ask(older, 'GET /')).headers['warning'] === undefined);
    expect(await listed(older)).to.deep.equal([id]);
    const back = await start();
    await expectOwned(back, { id, token });
    await promisify(execFile)(process.execPath, [
      join(release(), 'dist/cli.js'),
      'reset',
      '--yes',
      '--redis',
      redis.server.url,
    ]);
    expect(await redis.client.hgetall('{gsls}:settings')).to.deep.equal(settings);
    expect(await listed(back)).to.deep.equal([]);
    expectError(await post(back, '/ping', id, token), 'unknown_server');
    await expectOwned(back, await claim(back));
  });
});
