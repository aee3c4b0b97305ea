/** What the oldest release has left at rest, in a data file or in Redis, this version goes on with. */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, expectError, type TestAnswer } from '../support/ask.ts';
import { aBroadcast, type ListedBody } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { describeWithRelease } from './support/release.ts';

interface Replica {
  readonly url: string;
  readonly process: RunningProcess;
}

/** What the release had when it ended. */
interface Left {
  readonly list: string;
  /** With all of their fields, by their names. */
  readonly servers: readonly ListedBody[];
  /** The ids of game servers, and the token of each. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly removed: string;
  readonly hidden: { readonly id: string; readonly code: string };
  readonly ban: object;
  readonly points: readonly object[];
}

const DETAILS = [
  {},
  { map: 'de_dust2', mode: 'ctf', version: '1.2', region: 'eu', password: true, tags: ['a', 'ü'] },
  { meta: { deep: [{ 漢: 1 }] }, addresses: [{ ip: '2001:db8::7', port: 7777 }] },
];
/** Longer than the release runs: a point of the history takes a minute. */
const TTL_S = '300';
const MODERATOR = { Authorization: 'Bearer boss' };
const BANNED = { server_name: 'Casino' };

describeWithRelease(
  'this version, after RELEASE',
  (release) => {
    const newPath = useDirectory();
    const left: Left[] = [];
    let redis: SingleRedis;
    let stores: readonly Readonly<Record<string, string>>[];
    const ends = ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const;

    before(async function () {
      this.timeout(200_000);
      redis = await startSingleRedis();
      stores = [{ GSLS_DATA_FILE: newPath() }, { GSLS_DATA_FILE: newPath() }, redis.environment];
      left.push(
        ...(await Promise.all(
          stores.map(async (store, index) => {
            const replica = await start(store, release());
            const has = await fill(replica);
            await replica.process.stop(ends[index]!);
            return has;
          }),
        )),
      );
    });
    after(async () => {
      await endProcesses();
      await redis?.stop();
    });

    for (const [index, store] of [
      'a data file that it wrote until SIGTERM',
      'a data file that it wrote until SIGKILL',
      'its Redis',
    ].entries())
      it(`has every entry, owner, ban and point of history of ${store}`, async () => {
        const replica = await start(stores[index]!);
        await expectAll(replica, left[index]!);
        await replica.process.stop('SIGTERM');
      });
  },
  'oldestOrigin',
);

async function start(store: Readonly<Record<string, string>>, folder?: string): Promise<Replica> {
  const port = String(await freePort());
  const process = await startReplica(
    {
      GSLS_HOST: '127.0.0.1',
      GSLS_PORT: port,
      GSLS_TTL: TTL_S,
      GSLS_ADMIN_KEY: 'boss',
      GSLS_ALLOW_UNLISTED: 'true',
      ...store,
    },
    folder,
  );
  const replica = { url: `http://127.0.0.1:${port}`, process };
  await until(async () => (await ask(replica, 'GET /health')).status === 200, process);
  return replica;
}

function post(on: Replica, path: string, body: Record<string, unknown>, token?: string): Promise<TestAnswer> {
  const headers = token === undefined ? {} : { 'Server-Token': token };
  return ask(on, `POST ${path}`, { body: aBroadcast(body), headers });
}

async function read<T>(on: Replica, path: string): Promise<T> {
  return JSON.parse((await ask(on, `GET ${path}`, { headers: MODERATOR })).text) as T;
}

const serversOf = async (on: Replica): Promise<readonly ListedBody[]> =>
  (await read<{ servers: readonly ListedBody[] }>(on, '/servers?include=meta&sort=name')).servers;

const pointsOf = async (on: Replica): Promise<readonly object[]> =>
  (await read<{ points: readonly object[] }>(on, '/history?step=minute')).points;

async function fill(on: Replica): Promise<Left> {
  const tokens = new Map<string, string>();
  for (let n = 0; n < 12; n += 1) {
    const said = {
      server_name: `Server ${n} "ä" \\ 漢`,
      server_port: 7000 + n,
      ...DETAILS[n % DETAILS.length],
    };
    const { body, headers } = await post(on, '/broadcast', said, 'claim');
    const token = String(headers['server-token']);
    tokens.set(body.server_id!, token);
    if (n % 2 === 0) await post(on, '/ping', { ...said, server_id: body.server_id, players: n }, token);
  }
  const [removed] = tokens.keys();
  await post(on, '/remove', { server_id: removed }, tokens.get(removed!));
  tokens.delete(removed!);
  const hidden = await post(on, '/broadcast', { unlisted: true });
  const bans = { body: { name: 'casino*', reason: 'spam' }, headers: MODERATOR };
  expect((await ask(on, 'POST /admin/bans', bans)).status).to.equal(201);
  await until(async () => (await pointsOf(on)).length > 0, on.process);
  const list = (await ask(on, 'GET /')).text;
  const servers = await serversOf(on);
  expect(servers).to.have.length(11);
  return {
    list,
    servers,
    tokens,
    removed: removed!,
    hidden: { id: hidden.body.server_id!, code: String(hidden.headers['server-join-code']) },
    ban: (await read<{ bans: readonly object[] }>(on, '/admin/bans')).bans[0]!,
    points: await pointsOf(on),
  };
}

/** Nothing that was said is lost, and nothing that was not said is there. */
async function expectAll(on: Replica, left: Left): Promise<void> {
  expect((await ask(on, 'GET /')).text).to.equal(left.list);
  const servers = await serversOf(on);
  expect(servers).to.have.length(left.servers.length);
  for (const [index, server] of servers.entries()) expect(server).to.deep.include(left.servers[index]!);
  expect((await pointsOf(on))[0]).to.deep.include(left.points[0]!);

  expect((await read<{ bans: readonly object[] }>(on, '/admin/bans')).bans).to.deep.equal([left.ban]);
  expect((await read<{ audit: readonly object[] }>(on, '/admin/audit')).audit[0]).to.deep.include({
    ban: left.ban,
  });
  expectError(await post(on, '/broadcast', BANNED), 'banned');

  const { id, code } = left.hidden;
  expect((await ask(on, `GET /join/${code}`)).text).to.include(`"id":"${id}"`);
  expectError(await post(on, '/ping', { server_id: left.removed }), 'unknown_server');
  for (const [server_id, token] of left.tokens) {
    expectError(await post(on, '/ping', { server_id }), 'not_owner');
    expect((await post(on, '/ping', { server_id }, token)).status).to.equal(200);
    expect((await post(on, '/broadcast', { server_name: 'Again' }, token)).body.server_id).to.equal(
      server_id,
    );
  }
}
