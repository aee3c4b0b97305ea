/** Whichever version writes and whichever is asked: lists, details, unlisted entries, changes and losses. */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, askCurrent, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { describeWithRelease } from './support/release.ts';

/** Longer than a test. */
const USUAL_TTL_S = 60;
/** The shortest: an expired entry can be revived for ten times as long. */
const SHORT_TTL_S = 3;
const DETAILS = { map: 'de_dust2', tags: ['ranked', 'fra'], password: true, meta: { text: 'x'.repeat(300) } };

interface Replica {
  readonly url: string;
  readonly process: RunningProcess;
}

interface Changes {
  readonly servers: readonly { readonly id: string }[];
  readonly removed: readonly string[];
  readonly full: boolean;
  readonly tag: string;
}

describeWithRelease('RELEASE and this version on one Redis', (release) => {
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

  async function startBoth(ttlS = USUAL_TTL_S): Promise<readonly (readonly [Replica, Replica])[]> {
    older = await start(release(), ttlS);
    newer = await start(undefined, ttlS);
    return [
      [older, newer],
      [newer, older],
    ];
  }

  async function start(folder?: string, ttlS = USUAL_TTL_S): Promise<Replica> {
    const port = String(await freePort());
    const environment = {
      ...redis.environment,
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: port,
      GSLS_TTL: String(ttlS),
      GSLS_ALLOW_UNLISTED: 'true',
    };
    const replica = { url: `http://127.0.0.1:${port}`, process: await startReplica(environment, folder) };
    await until(async () => (await ask(replica, 'GET /health')).status === 200);
    return replica;
  }

  async function broadcast(replica: Replica, more: object = {}): Promise<string> {
    return (await ask(replica, 'POST /broadcast', { body: { ...aBroadcast(), ...more } })).body.server_id!;
  }

  function post(replica: Replica, path: string, id: string, more: object = {}): Promise<TestAnswer> {
    return ask(replica, `POST ${path}`, { body: { ...aBroadcast(), server_id: id, ...more } });
  }

  async function listed(replica: Replica): Promise<readonly string[]> {
    return (await askCurrent(replica, 'GET /')).body.servers!.map(({ id }) => id);
  }

  async function expectDetails(replica: Replica, id: string, details: object): Promise<void> {
    const { text } = await ask(replica, `GET /servers/${id}`);
    expect((JSON.parse(text) as { server: object }).server).to.deep.include(details);
  }

  async function changesSince(replica: Replica, tag: string): Promise<Changes> {
    return JSON.parse((await askCurrent(replica, `GET /changes?since=${tag}`)).text) as Changes;
  }

  it('give the same list, pages and statistics, with the same tags', async () => {
    for (const [one, other] of await startBoth()) {
      await broadcast(one, DETAILS);
      await broadcast(other, { ...DETAILS, map: 'another' });
    }
    for (const path of ['/', '/servers?sort=name&include=meta', '/servers?map=another', '/stats']) {
      const [one, other] = [await askCurrent(older, `GET ${path}`), await askCurrent(newer, `GET ${path}`)];
      expect(one.status, path).to.equal(200);
      expect(one.text, path).to.equal(other.text);
      expect(one.headers['etag'], path).to.equal(other.headers['etag']);
    }
  });

  it('keep the details that the other one has written, and change them', async () => {
    for (const [one, other] of await startBoth()) {
      const id = await broadcast(one, DETAILS);
      expect((await post(other, '/ping', id, { players: 9 })).status).to.equal(200);
      await expectDetails(one, id, { players: 9, ...DETAILS });
      expect((await post(other, '/ping', id, { map: 'another' })).status).to.equal(200);
      await expectDetails(one, id, { map: 'another' });
    }
  });

  it('revive what the other one has let expire', async () => {
    await startBoth(SHORT_TTL_S);
    const ids = [await broadcast(newer, DETAILS), await broadcast(older, DETAILS)];
    await newer.process.stop('SIGKILL');
    await until(async () => (await listed(older)).length === 0);
    newer = await start(undefined, SHORT_TTL_S);
    for (const id of ids) expect((await post(newer, '/ping', id)).status).to.equal(200);
    for (const id of ids) await expectDetails(older, id, DETAILS);
  });

  it('lose no entry and no details when Redis is emptied under both', async () => {
    await startBoth();
    const replicas = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? older : newer));
    const ids = await Promise.all(replicas.map((replica) => broadcast(replica, DETAILS)));
    const before = (await listed(newer)).toSorted();
    await listed(older);
    await redis.client.flushall();
    await until(async () => (await redis.client.zcard('{gsls}:servers')) === ids.length);
    for (const replica of [older, newer]) {
      await until(async () => (await ask(replica, 'GET /')).headers['warning'] === undefined);
      expect((await listed(replica)).toSorted()).to.deep.equal(before);
      for (const id of ids) await expectDetails(replica, id, DETAILS);
    }
  });

  it('show no unlisted entry of the other one, and find it by its id', async () => {
    for (const [one, other] of await startBoth()) {
      const id = await broadcast(one, { unlisted: true });
      expect(await listed(other)).to.deep.equal([]);
      await expectDetails(other, id, { id });
      expect((await post(other, '/remove', id)).status).to.equal(200);
      expectError(await ask(one, `GET /servers/${id}`), 'unknown_server');
    }
  });

  it('tell the same changes since a tag of the other one', async () => {
    for (const [one, other] of await startBoth()) {
      const [changed, gone] = [await broadcast(one), await broadcast(other)];
      const { tag } = await changesSince(one, '');
      await post(one, '/ping', changed, { players: 9 });
      await post(other, '/remove', gone);
      const late = await broadcast(one);
      const changes = await changesSince(other, tag);
      expect(changes.servers.map(({ id }) => id)).to.deep.equal([changed, late]);
      expect(changes).to.deep.include({ removed: [gone], full: false });
      expect(await changesSince(one, tag)).to.deep.equal(changes);
    }
  });
});
