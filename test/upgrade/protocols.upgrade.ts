/**
 * Entries that another protocol lists, which no release before 0.14 knows: they begin once none of these runs beside,
 * and a rollback drops them, and nothing else.
 */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask, askCurrent } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { anInfo, DdnetGameServer, type RegisterAnswer } from '../support/ddnet/ddnet-game-server.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { describeWithRelease } from './support/release.ts';

/** The last release that knows no entries of other protocols. */
const FORMER_RELEASE = '0.13.0';
/** The shortest. */
const SHORT_TTL_S = '3';
const PING_INTERVAL_MS = 300;
const ERROR_LEVEL = 50;
const INFO = anInfo({ name: 'of DDNet' });

type Replica = RunningProcess & { readonly url: string };

async function start(more: Record<string, string>, folder?: string): Promise<Replica> {
  const port = String(await freePort());
  const own = { GSLS_HOST: '127.0.0.1', GSLS_PORT: port, GSLS_LOG_FORMAT: 'json' };
  // A release that knows no protocols does not start with the variable.
  const speaks = folder === undefined ? { GSLS_PROTOCOLS: 'ddnet' } : {};
  const started = await startReplica({ ...own, ...speaks, ...more }, folder);
  const replica = Object.assign(started, { url: `http://127.0.0.1:${port}` });
  await until(async () => (await ask(replica, 'GET /health')).status === 200);
  return replica;
}

async function broadcast(replica: Replica, more: object = {}): Promise<string> {
  return (await ask(replica, 'POST /broadcast', { body: { ...aBroadcast(), ...more } })).body.server_id!;
}

/** The ids in the list, sorted. */
async function listed(replica: Replica): Promise<readonly string[]> {
  return (await askCurrent(replica, 'GET /')).body.servers!.map(({ id }) => id).toSorted();
}

async function idOf(replica: Replica, { port }: DdnetGameServer): Promise<string | undefined> {
  return (await askCurrent(replica, 'GET /')).body.servers!.find((each) => each.port === port)?.id;
}

async function nativeList(replica: Replica): Promise<string> {
  return (await ask(replica, 'GET /ddnet/15/servers.json')).text;
}

function errorsOf({ lines }: Replica): readonly string[] {
  return lines.filter(
    (line) => !line.startsWith('{') || (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL,
  );
}

describeWithRelease(
  'entries of other protocols, and RELEASE, which knows none',
  (release) => {
    const newPath = useDirectory();
    let redis: SingleRedis;
    let gameServer: DdnetGameServer;

    beforeEach(async () => {
      redis = await startSingleRedis();
      gameServer = await DdnetGameServer.open();
    });
    afterEach(async () => {
      await gameServer.close();
      await endProcesses();
      await redis.stop();
    });

    const register = (replica: Replica): Promise<RegisterAnswer> =>
      gameServer.registerWith(replica.url, INFO);

    it('begin a TTL after its last replica, leave when it comes back, and come back after it', async () => {
      const environment = { ...redis.environment, GSLS_TTL: SHORT_TTL_S };
      const older = await start(environment, release());
      const newer = await start(environment);
      const kept = [await broadcast(older), await broadcast(newer)].toSorted();
      const pings = keepPinging(kept);
      pings.at(older);

      // For more than a TTL, as the entry that falls silent shows.
      const silent = await broadcast(older);
      let refusals = 0;
      do {
        const { http, message } = await register(newer);
        expect(http).to.equal(503);
        expect(message).to.include('a release before 0.14');
        refusals += 1;
      } while ((await listed(older)).includes(silent));
      expect(refusals).to.be.above(1);
      await until(async () => (await listed(newer)).length === kept.length);
      for (const replica of [older, newer]) expect(await listed(replica)).to.deep.equal(kept);

      pings.at(newer);
      await older.stop('SIGTERM');
      await until(async () => (await register(newer)).status === 'success');
      const id = (await idOf(newer, gameServer))!;
      expect(await listed(newer)).to.deep.equal([...kept, id].toSorted());
      await until(async () => (await nativeList(newer)).includes('of DDNet'));

      await newer.stop('SIGTERM');
      const rolledBack = await start(environment, release());
      pings.at(rolledBack);
      await until(async () => !(await listed(rolledBack)).includes(id));
      expect(await listed(rolledBack)).to.deep.equal(kept);
      expect(errorsOf(rolledBack)).to.deep.equal([]);

      const again = await start(environment);
      pings.at(again);
      await rolledBack.stop('SIGTERM');
      await until(async () => (await register(again)).status === 'success');
      expect(await idOf(again, gameServer)).to.equal(id);
      expect(await listed(again)).to.deep.equal([...kept, id].toSorted());
      await until(async () => (await nativeList(again)).includes('of DDNet'));
      expect(await pings.stop()).to.deep.equal([]);
      expect([...errorsOf(newer), ...errorsOf(again)]).to.deep.equal([]);
    });

    for (const signal of ['SIGTERM', 'SIGKILL'] as const)
      it(`in a data file hide nothing else from it after ${signal}, and come back after it`, async () => {
        const environment = { GSLS_DATA_FILE: newPath() };
        const newer = await start(environment);
        const kept = [await broadcast(newer), await broadcast(newer, { map: 'de_dust2' })].toSorted();
        expect(await register(newer)).to.include({ status: 'success' });
        const id = (await idOf(newer, gameServer))!;
        await newer.stop(signal);

        const older = await start(environment, release());
        expect((await listed(older)).filter((each) => each !== id)).to.deep.equal(kept);
        for (const each of kept) await expectPinged(older, each);
        const added = await broadcast(older);
        expect(errorsOf(older)).to.deep.equal([]);
        await older.stop(signal);

        const again = await start(environment);
        for (const each of [...kept, added]) await expectPinged(again, each);
        expect(await register(again)).to.include({ status: 'success' });
        expect(await listed(again)).to.deep.equal([...kept, added, id].toSorted());
        await until(async () => (await nativeList(again)).includes('of DDNet'));
        expect(errorsOf(again)).to.deep.equal([]);
      });
  },
  FORMER_RELEASE,
);

async function expectPinged(replica: Replica, id: string): Promise<void> {
  const body = { ...aBroadcast(), server_id: id };
  expect((await ask(replica, 'POST /ping', { body })).status).to.equal(200);
}

/** Pings these ids at the replica that it was told last. `stop()` resolves with the refusals. */
function keepPinging(ids: readonly string[]): {
  at(replica: Replica): void;
  stop(): Promise<readonly string[]>;
} {
  let replica: Replica | undefined;
  const refusals: string[] = [];
  const ping = async (id: string): Promise<void> => {
    // None answers while the only one is replaced.
    const answer = await ask(replica!, 'POST /ping', { body: { ...aBroadcast(), server_id: id } }).catch(
      () => undefined,
    );
    if (answer !== undefined && answer.status !== 200) refusals.push(answer.text);
  };
  const timer = setInterval(() => void Promise.all(ids.map(ping)), PING_INTERVAL_MS);
  return {
    at: (next) => void (replica = next),
    async stop() {
      clearInterval(timer);
      return refusals;
    },
  };
}
