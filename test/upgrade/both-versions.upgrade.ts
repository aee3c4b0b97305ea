/** What one version writes to Redis the other one reads, continues and ends, whichever of the two is asked. */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { openA2sGame } from '../support/a2s-game.ts';
import { ask, askCurrent, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast, type ListedBody } from '../support/builders.ts';
import { anInfo, DdnetGameServer } from '../support/ddnet/ddnet-game-server.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { describeWithRelease } from './support/release.ts';

/** The shortest: an expired entry can be revived for ten times as long. */
const SHORT_TTL_S = '3';
const DETAILS = {
  map: 'de_dust2',
  tags: ['ranked', 'fra'],
  password: true,
  country: 'DE',
  latency: { fra: 8 },
  meta: { text: 'x'.repeat(300) },
};

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

async function labelsAt(replica: Replica, id: string): Promise<readonly string[] | undefined> {
  const { text } = await askCurrent(replica, `GET /servers/${id}`);
  return (JSON.parse(text) as { server: { labels?: readonly string[] } }).server.labels;
}

async function statsAt(replica: Replica): Promise<object> {
  return JSON.parse((await askCurrent(replica, 'GET /stats')).text) as object;
}

let keys = 0;
const newKey = (): string => `key ${(keys += 1)}`;

describeWithRelease('RELEASE and this version on one Redis', (release) => {
  let redis: SingleRedis;
  let older: Replica;
  let newer: Replica;
  /** Each of the two, and the other one. */
  let pairs: readonly (readonly [Replica, Replica])[];

  before(async () => {
    redis = await startSingleRedis();
    older = await start(release());
    newer = await start();
    pairs = [
      [older, newer],
      [newer, older],
    ];
  });
  after(async () => {
    await endProcesses();
    await redis?.stop();
  });

  async function start(folder?: string, more: Record<string, string> = {}): Promise<Replica> {
    const port = String(await freePort());
    const environment = {
      ...redis.environment,
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: port,
      GSLS_ALLOW_UNLISTED: 'true',
      GSLS_PROTOCOLS: 'ddnet',
      GSLS_ADMIN_KEY: 'boss',
      ...more,
    };
    const replica = { url: `http://127.0.0.1:${port}`, process: await startReplica(environment, folder) };
    await until(async () => (await ask(replica, 'GET /health')).status === 200);
    return replica;
  }

  function broadcast(replica: Replica, more: object = {}, key = newKey()): Promise<TestAnswer> {
    const headers = { 'Idempotency-Key': key };
    return ask(replica, 'POST /broadcast', { body: { ...aBroadcast(), ...more }, headers });
  }

  async function add(replica: Replica, more: object = {}): Promise<string> {
    return (await broadcast(replica, more)).body.server_id!;
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
    for (const [one, other] of pairs) {
      await add(one, DETAILS);
      await add(other, { ...DETAILS, map: 'another' });
    }
    for (const path of ['/', '/servers?sort=name&include=meta', '/servers?map=another']) {
      const [one, other] = [await askCurrent(older, `GET ${path}`), await askCurrent(newer, `GET ${path}`)];
      expect(one.status, path).to.equal(200);
      expect(one.text, path).to.equal(other.text);
      expect(one.headers['etag'], path).to.equal(other.headers['etag']);
    }
    expect(await statsAt(newer)).to.deep.equal(await statsAt(older));
  });

  it('keep the details that the other one has written, and change them', async () => {
    for (const [one, other] of pairs) {
      const id = await add(one, DETAILS);
      expect((await post(other, '/ping', id, { players: 9 })).status).to.equal(200);
      await expectDetails(one, id, { players: 9, ...DETAILS });
      expect((await post(other, '/ping', id, { map: 'another' })).status).to.equal(200);
      await expectDetails(one, id, { map: 'another' });
    }
  });

  it('keep how many players were seen, whichever is told of more', async () => {
    const game = await openA2sGame('a game');
    const asking = { GSLS_VERIFY: 'a2s', GSLS_VERIFY_NETWORKS: 'loopback', GSLS_UNVERIFIED: 'show' };
    const verifying = await start(undefined, asking);
    const at = { server_ip: '127.0.0.1', server_port: game.port };
    const id = await add(verifying, { ...at, players: 60 });
    const knowsSeen = async (): Promise<boolean> =>
      (await ask(newer, `GET /servers/${id}`)).text.includes('"players_seen":3,');
    await until(knowsSeen);
    for (const [index, replica] of [older, newer, older].entries()) {
      const said = { ...at, players: 40 + index, server_name: `name ${index >> 1}` };
      expect((await post(replica, '/ping', id, said)).status).to.equal(200);
      for (const each of [older, newer]) await listed(each);
      await expectDetails(newer, id, { players: 40 + index, players_seen: 3 });
      expect((await askCurrent(older, 'GET /')).text).to.equal((await askCurrent(newer, 'GET /')).text);
    }
    await verifying.process.stop('SIGTERM');
    await game.close();
  });

  it('take a broadcast that is repeated under its key for one, listed or not', async () => {
    for (const [one, other] of pairs)
      for (const unlisted of [false, true]) {
        const key = newKey();
        const [first, second] = [
          await broadcast(one, { unlisted }, key),
          await broadcast(other, { unlisted }, key),
        ];
        expect(second.text).to.equal(first.text);
        expect(second.headers['server-join-code']).to.equal(first.headers['server-join-code']);
        expect((await listed(other)).filter((id) => id === first.body.server_id)).to.have.length(
          unlisted ? 0 : 1,
        );
      }
  });

  it('show no unlisted entry of the other one, and find it by its id and its code', async () => {
    for (const [one, other] of pairs) {
      const { body, headers } = await broadcast(one, { unlisted: true });
      const id = body.server_id!;
      expect(await listed(other)).to.not.include(id);
      await expectDetails(other, id, { id });
      expect((await ask(other, `GET /join/${String(headers['server-join-code'])}`)).text).to.include(id);
      expect((await post(other, '/remove', id)).status).to.equal(200);
      expectError(await ask(one, `GET /servers/${id}`), 'unknown_server');
    }
  });

  it('go by the IP of the registration', async () => {
    for (const [one, other] of pairs) {
      const id = await add(one);
      for (const path of ['/ping', '/remove'])
        expectError(await post(other, path, id, { server_ip: '203.0.113.8' }), 'ip_mismatch');
    }
  });

  it('leave removed what the other one has removed', async () => {
    for (const [one, other] of pairs) {
      const key = newKey();
      const id = (await broadcast(one, {}, key)).body.server_id!;
      expect((await post(other, '/remove', id)).status).to.equal(200);
      for (const each of [one, other]) {
        expectError(await post(each, '/ping', id), 'unknown_server');
        expectError(await broadcast(each, {}, key), 'idempotency_key_used');
        expect(await listed(each)).to.not.include(id);
      }
    }
  });

  it('list nothing that has left with its id kept, which the other one brings back', async () => {
    for (const [leaver, other] of pairs) {
      const claimed = (on: Replica, token: string): Promise<TestAnswer> =>
        ask(on, 'POST /broadcast', { body: aBroadcast(), headers: { 'Server-Token': token } });
      const { body, headers } = await claimed(other, 'claim');
      const id = body.server_id!;
      const token = String(headers['server-token']);
      const withToken = (on: Replica, path: string, more: object): Promise<TestAnswer> =>
        ask(on, `POST ${path}`, {
          body: { ...aBroadcast(), server_id: id, ...more },
          headers: { 'Server-Token': token },
        });
      expect((await withToken(leaver, '/remove', { keep_id: true })).status).to.equal(200);
      for (const each of [leaver, other]) {
        expect(await listed(each)).to.not.include(id);
        expectError(await withToken(each, '/ping', {}), 'unknown_server');
      }
      expect((await claimed(other, token)).body.server_id).to.equal(id);
      for (const each of [leaver, other]) expect(await listed(each)).to.include(id);
    }
  });

  it('list nothing that has left with its id kept when Redis is emptied under both', async () => {
    const { body, headers } = await ask(newer, 'POST /broadcast', {
      body: aBroadcast(),
      headers: { 'Server-Token': 'claim' },
    });
    const server = { ...aBroadcast(), server_id: body.server_id };
    const token = { 'Server-Token': String(headers['server-token']) };
    await ask(newer, 'POST /remove', { body: { ...server, keep_id: true }, headers: token });
    for (const each of [older, newer]) expect(await listed(each)).to.not.include(body.server_id);
    await redis.client.flushall();
    for (const replica of [older, newer]) {
      await until(async () => (await ask(replica, 'GET /')).headers['warning'] === undefined);
      expect(await listed(replica)).to.not.include(body.server_id);
    }
    const again = await ask(newer, 'POST /broadcast', { body: aBroadcast(), headers: token });
    expect(again.body.server_id).to.equal(body.server_id);
    expect(await listed(older)).to.include(body.server_id);
  });

  it('tell the same changes since a tag of the other one', async () => {
    for (const [one, other] of pairs) {
      const [changed, gone] = [await add(one), await add(other)];
      const { tag } = await changesSince(one, '');
      await post(one, '/ping', changed, { players: 9 });
      await post(other, '/remove', gone);
      const late = await add(one);
      const changes = await changesSince(other, tag);
      expect(changes.servers.map(({ id }) => id)).to.deep.equal([changed, late]);
      expect(changes).to.deep.include({ removed: [gone], full: false });
      expect(await changesSince(one, tag)).to.deep.equal(changes);
    }
  });

  it('revive what the other one has let expire', async () => {
    const short = { GSLS_TTL: SHORT_TTL_S, GSLS_REGISTRY: 'short' };
    const replicas = [await start(release(), short), await start(undefined, short)];
    for (const [one, other] of [replicas, replicas.toReversed()] as [Replica, Replica][]) {
      const id = await add(one, DETAILS);
      await until(async () => (await listed(other)).length === 0);
      expect((await post(other, '/ping', id)).status).to.equal(200);
      await expectDetails(one, id, DETAILS);
    }
  });

  it('take entries of other protocols at once, whichever has begun the registry', async () => {
    for (const [n, folders] of [
      [release(), undefined],
      [undefined, release()],
    ].entries()) {
      const of = { GSLS_REGISTRY: `protocols-${n}` };
      const gameServer = await DdnetGameServer.open();
      try {
        const replicas = [await start(folders[0], of), await start(folders[1], of)];
        for (const replica of replicas.toReversed())
          expect(await gameServer.registerWith(replica.url, anInfo({ name: 'of DDNet' }))).to.include({
            status: 'success',
          });
        for (const replica of replicas) {
          const { servers } = (await askCurrent(replica, 'GET /')).body;
          expect(servers!.map(({ port }: ListedBody) => port)).to.deep.equal([gameServer.port]);
          await until(async () =>
            (await ask(replica, 'GET /ddnet/15/servers.json')).text.includes('of DDNet'),
          );
        }
      } finally {
        await gameServer.close();
      }
    }
  });

  it('have the bans and the labels of both, whichever decides', async () => {
    const headers = { Authorization: 'Bearer boss' };
    const decide = async (replica: Replica, what: string, body: object): Promise<string> => {
      const answer = await ask(replica, what, { headers, body });
      expect(answer.status, answer.text).to.equal(what.startsWith('POST') ? 201 : 200);
      const { ban = '', rule = ban } = JSON.parse(answer.text) as { ban?: string; rule?: string };
      return rule;
    };
    const id = await add(newer, { server_name: 'labelled' });
    const rule = await decide(newer, 'POST /admin/labels', { id, label: 'official' });
    expect([await labelsAt(older, id), await labelsAt(newer, id)]).to.deep.equal([
      ['official'],
      ['official'],
    ]);
    const ban = await decide(older, 'POST /admin/bans', { name: 'nobody', reason: 'spam' });
    expect([await labelsAt(older, id), await labelsAt(newer, id)]).to.deep.equal([
      ['official'],
      ['official'],
    ]);
    const late = await start();
    expect(await labelsAt(late, id)).to.deep.equal(['official']);
    for (const replica of [older, newer, late])
      expect((await ask(replica, 'GET /admin/bans', { headers })).text).to.include(ban);
    await decide(older, `DELETE /admin/bans/${ban}`, {});
    await decide(newer, `DELETE /admin/labels/${rule}`, {});
    await until(async () => (await labelsAt(late, id)) === undefined);
    expect((await ask(older, 'GET /admin/audit', { headers })).status).to.equal(200);
    await late.process.stop('SIGTERM');
  });

  it('lose no entry and no details when Redis is emptied under both', async () => {
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, n) => add(n % 2 === 0 ? older : newer, DETAILS)),
    );
    const before = (await listed(newer)).toSorted();
    await listed(older);
    const count = await redis.client.zcard('{gsls}:servers');
    await redis.client.flushall();
    await until(async () => (await redis.client.zcard('{gsls}:servers')) === count);
    for (const replica of [older, newer]) {
      await until(async () => (await ask(replica, 'GET /')).headers['warning'] === undefined);
      expect((await listed(replica)).toSorted()).to.deep.equal(before);
      for (const id of ids) await expectDetails(replica, id, DETAILS);
    }
  });
});
