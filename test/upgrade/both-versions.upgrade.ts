/** What one version writes to Redis the other one reads, continues and ends: step by step, in both directions. */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, askCurrent, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast, type ListedBody } from '../support/builders.ts';
import { endProcesses, startReplica } from '../support/processes.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';
import { describeWithEachRelease } from './support/release.ts';

interface Running {
  readonly url: string;
}

/** Longer than what is done with an entry that is to stay, on a busy machine too. */
const TTL_S = '10';

let keys = 0;
const newKey = (): string => `key ${(keys += 1)}`;

describeWithEachRelease('RELEASE and this version on one Redis', (release, older) => {
  let redis: SingleRedis;
  const running: Record<string, Running> = {};
  /** An entry of each that falls silent at once: both expire within one TTL. */
  const silent: Record<string, string> = {};

  before(async () => {
    redis = await startSingleRedis();
    running[older] = await start(release());
    running['this version'] = await start();
    for (const version of Object.keys(running)) silent[version] = await add(version);
  });
  after(async () => {
    await endProcesses();
    await redis?.stop();
  });

  async function start(folder?: string): Promise<Running> {
    const port = String(await freePort());
    const environment = { ...redis.environment, GSLS_HOST: '127.0.0.1', GSLS_PORT: port, GSLS_TTL: TTL_S };
    await startReplica(environment, folder);
    const replica = { url: `http://127.0.0.1:${port}` };
    await until(async () => (await ask(replica, 'GET /health')).status === 200);
    return replica;
  }

  function broadcast(version: string, key: string): Promise<TestAnswer> {
    const headers = { 'Idempotency-Key': key };
    return ask(running[version]!, 'POST /broadcast', { body: aBroadcast(), headers });
  }

  async function add(version: string): Promise<string> {
    return (await broadcast(version, newKey())).body.server_id!;
  }

  function post(version: string, path: string, id: string, more: object = {}): Promise<TestAnswer> {
    return ask(running[version]!, `POST ${path}`, { body: { ...aBroadcast(), server_id: id, ...more } });
  }

  /** The entries of this id, once both lists are the same. */
  async function listed(id: string): Promise<readonly ListedBody[]> {
    const [one, other] = await Promise.all(Object.values(running).map((each) => askCurrent(each, 'GET /')));
    // Another entry may have expired between the two.
    if (one!.text !== other!.text) return listed(id);
    expect(one!.headers.etag).to.equal(other!.headers.etag);
    return one!.body.servers!.filter((each) => each.id === id);
  }

  for (const [first, second] of [
    [older, 'this version'],
    ['this version', older],
  ] as const)
    describe(`${first} writes, ${second} goes on`, () => {
      it('a broadcast is in both lists, with the same bytes and the same ETag', async () => {
        expect(await listed(await add(first))).to.have.length(1);
      });

      it('a broadcast that is repeated under its key is listed once', async () => {
        const key = newKey();
        const { body } = await broadcast(first, key);
        expect((await broadcast(second, key)).body.server_id).to.equal(body.server_id);
        expect(await listed(body.server_id!)).to.have.length(1);
      });

      it('a ping renews and changes the entry', async () => {
        const id = await add(first);
        expect((await post(second, '/ping', id, { players: 9 })).status).to.equal(200);
        expect((await listed(id))[0]).to.include({ players: 9 });
        expect((await post(first, '/ping', id, { players: 10 })).status).to.equal(200);
        expect((await listed(id))[0]).to.include({ players: 10 });
      });

      it('the IP of the registration is the one that counts', async () => {
        const id = await add(first);
        const elsewhere = { server_ip: '203.0.113.8' };
        expectError(await post(second, '/ping', id, elsewhere), 'ip_mismatch');
        expectError(await post(second, '/remove', id, elsewhere), 'ip_mismatch');
      });

      it('what is removed stays removed', async () => {
        const key = newKey();
        const id = (await broadcast(first, key)).body.server_id!;
        expect((await post(second, '/remove', id)).status).to.equal(200);
        for (const each of [first, second]) {
          expectError(await post(each, '/ping', id), 'unknown_server');
          expectError(await broadcast(each, key), 'idempotency_key_used');
        }
        expect(await listed(id)).to.deep.equal([]);
      });

      it('what has expired comes back with a ping, under its id', async () => {
        const id = silent[first]!;
        await until(async () => (await listed(id)).length === 0);
        expect((await post(second, '/ping', id)).status).to.equal(200);
        expect(await listed(id)).to.have.length(1);
      });
    });
});
