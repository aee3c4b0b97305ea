/** What the release does not know (details, unlisted entries, changes since a version): beside its replicas it is kept. */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { describeWithRelease, RELEASE } from './support/release.ts';

/** Longer than a test. */
const USUAL_TTL_S = 60;
/** The shortest: an expired entry can be revived for ten times as long. */
const SHORT_TTL_S = 3;
const DETAILS = { map: 'de_dust2', tags: ['ranked', 'fra'], password: true, meta: { text: 'x'.repeat(300) } };

interface Replica {
  readonly url: string;
  readonly process: RunningProcess;
}

interface Shown {
  readonly id: string;
  readonly [field: string]: unknown;
}

interface Changes {
  readonly servers: readonly Shown[];
  readonly removed: readonly string[];
  readonly full: boolean;
  readonly tag: string;
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

  async function startBoth(ttlS = USUAL_TTL_S): Promise<void> {
    older = await start(release(), ttlS);
    newer = await start(undefined, ttlS);
  }

  async function start(folder?: string, ttlS = USUAL_TTL_S): Promise<Replica> {
    const port = String(await freePort());
    const environment = {
      ...redis.environment,
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: port,
      GSLS_TTL: String(ttlS),
      // The release does not know this one.
      ...(folder === undefined && { GSLS_ALLOW_UNLISTED: 'true' }),
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
    return (await ask(replica, 'GET /')).body.servers!.map(({ id }) => id);
  }

  async function expectDetails(replica: Replica, id: string, details: object): Promise<void> {
    const { text } = await ask(replica, `GET /servers/${id}`);
    expect((JSON.parse(text) as { server: object }).server).to.deep.include(details);
  }

  async function changesSince(replica: Replica, tag: string): Promise<Changes> {
    return JSON.parse((await ask(replica, `GET /changes?since=${tag}`)).text) as Changes;
  }

  describe('details', () => {
    it('are kept through what the release writes', async () => {
      await startBoth();
      const id = await broadcast(newer, DETAILS);
      expect((await post(older, '/ping', id, { players: 9 })).status).to.equal(200);
      await expectDetails(newer, id, { players: 9, ...DETAILS });
      expect((await post(older, '/ping', id, { server_name: 'Another', map: 'ignored' })).status).to.equal(
        200,
      );
      await expectDetails(newer, id, { name: 'Another', ...DETAILS });
    });

    it('are kept when the release lets the entry expire and revives it', async () => {
      await startBoth(SHORT_TTL_S);
      const id = await broadcast(newer, DETAILS);
      await newer.process.stop('SIGKILL');
      await until(async () => (await listed(older)).length === 0);
      expect((await post(older, '/ping', id)).status).to.equal(200);
      await expectDetails(await start(undefined, SHORT_TTL_S), id, DETAILS);
    });

    it('are kept, and no entry is lost, when Redis is emptied under both', async () => {
      await startBoth();
      const ids = await Promise.all(Array.from({ length: 30 }, () => broadcast(newer, DETAILS)));
      const others = await Promise.all(Array.from({ length: 30 }, () => broadcast(older)));
      const before = (await listed(newer)).toSorted();
      await listed(older);
      await redis.client.flushall();
      await until(async () => (await redis.client.zcard('{gsls}:servers')) === 60);
      await until(async () => (await ask(newer, 'GET /')).headers['warning'] === undefined);
      expect((await listed(newer)).toSorted()).to.deep.equal(before);
      for (const id of ids) await expectDetails(newer, id, DETAILS);
      for (const id of others) expect((await post(newer, '/ping', id, DETAILS)).status).to.equal(200);
    });

    it('are told to an entry of the release by its next ping to this version', async () => {
      await startBoth();
      const id = await broadcast(older, DETAILS);
      expect((await post(newer, '/ping', id, DETAILS)).status).to.equal(200);
      await expectDetails(newer, id, DETAILS);
    });
  });

  it('an unlisted entry is listed by the release alone', async () => {
    await startBoth();
    const id = await broadcast(newer, { unlisted: true });
    expect(await listed(newer)).to.deep.equal([]);
    expect(await listed(older)).to.deep.equal([id]);
    await older.process.stop('SIGTERM');
    expect(await listed(newer)).to.deep.equal([]);
    await expectDetails(newer, id, { id });
    expect((await post(newer, '/remove', id)).status).to.equal(200);
    expectError(await ask(newer, `GET /servers/${id}`), 'unknown_server');
  });

  it('changes of the list are told whichever version makes them', async () => {
    await startBoth();
    const [stays, changed, gone] = [await broadcast(older), await broadcast(older), await broadcast(newer)];
    const { tag } = await changesSince(newer, '');
    await post(older, '/ping', changed, { players: 9 });
    await post(older, '/remove', gone);
    const late = await broadcast(older);
    const changes = await changesSince(newer, tag);
    expect(changes.servers.map(({ id }) => id)).to.deep.equal([changed, late]);
    expect(changes).to.deep.include({ removed: [gone], full: false });
    await newer.process.stop('SIGTERM');
    expect(await changesSince(await start(), tag)).to.deep.equal(changes);
    expect(await listed(older)).to.deep.equal([stays, changed, late]);
  });
});
