/** A mirror of this version follows the oldest release that it can. */

import { expect } from 'chai';
import { startSingleRedis, type SingleRedis } from '../faults/support/single-redis.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { freePort } from '../support/free-port.ts';
import { endProcesses, startReplica, type RunningProcess } from '../support/processes.ts';
import { until } from '../support/until.ts';
import { describeWithRelease } from './support/release.ts';

interface Row {
  readonly name: string;
  readonly origin: string;
}

interface Replica {
  readonly url: string;
  readonly process: RunningProcess;
}

describeWithRelease(
  'a mirror of this version, whose origin is RELEASE',
  (release) => {
    let redis: SingleRedis;
    let origin: Replica;
    let mirror: Replica;

    before(async () => {
      redis = await startSingleRedis();
      origin = await start(redis.environment, release());
      mirror = await start({ GSLS_MIRRORS: `old=${origin.url}` });
    });
    after(async () => {
      await endProcesses();
      await redis?.stop();
    });

    async function broadcast(name: string, port: number, more: object = {}): Promise<string> {
      const body = aBroadcast({ server_name: name, server_port: port, ...more });
      return (await ask(origin, 'POST /broadcast', { body })).body.server_id!;
    }

    const listOf = async (at: Replica): Promise<readonly Row[]> =>
      (JSON.parse((await ask(at, 'GET /servers?sort=name')).text) as { servers: readonly Row[] }).servers;

    /** Resolves once the mirror lists these, as its origin does. */
    async function untilListed(...names: readonly string[]): Promise<void> {
      await until(
        async () => (await listOf(mirror)).map(({ name }) => name).join() === names.join(),
        mirror.process,
      );
      const its = (await listOf(origin)).map((row) => ({ ...row, origin: 'old' }));
      expect(await listOf(mirror)).to.deep.equal(its);
    }

    it('lists what the origin lists, follows each change, and does without meta', async () => {
      const id = await broadcast('a', 1, { map: 'de_dust2', tags: ['ranked'], meta: { a: 1 } });
      const other = await broadcast('b', 2);
      await untilListed('a', 'b');
      const said = aBroadcast({ server_name: 'c', server_port: 1, players: 9 });
      await ask(origin, 'POST /ping', { body: { ...said, server_id: id } });
      await untilListed('b', 'c');
      await ask(origin, 'POST /remove', { body: { ...aBroadcast({ server_port: 2 }), server_id: other } });
      await untilListed('c');
    });

    it('keeps the list while the origin is away, and goes on from where it was', async () => {
      const { port } = new URL(origin.url);
      await origin.process.stop('SIGTERM');
      await until(async () => (await ask(mirror, 'GET /')).headers['warning'] !== undefined, mirror.process);
      expect((await listOf(mirror)).map(({ name }) => name)).to.deep.equal(['c']);
      origin = await start({ ...redis.environment, GSLS_PORT: port }, release());
      await broadcast('d', 4);
      await untilListed('c', 'd');
      await until(async () => (await ask(mirror, 'GET /')).headers['warning'] === undefined, mirror.process);
      expect(mirror.process.lines.filter((line) => line.includes('has lost'))).to.deep.equal([]);
    });

    it('follows the origin beyond its upgrade, and has meta then', async () => {
      const { port } = new URL(origin.url);
      await origin.process.stop('SIGTERM');
      origin = await start({ ...redis.environment, GSLS_PORT: port });
      await broadcast('e', 5, { meta: { a: 1 } });
      await untilListed('c', 'd', 'e');
      await until(
        async () => (await ask(mirror, 'GET /servers?include=meta')).text.includes('"meta":{"a":1}'),
        mirror.process,
      );
    });
  },
  'oldestOrigin',
);

async function start(environment: Readonly<Record<string, string>>, folder?: string): Promise<Replica> {
  const port = environment['GSLS_PORT'] ?? String(await freePort());
  const all = { GSLS_HOST: '127.0.0.1', ...environment, GSLS_PORT: port };
  return { url: `http://127.0.0.1:${port}`, process: await startReplica(all, folder) };
}
