/** A store that a release before 0.14 has left is refused and stays as it is; one of 0.14 is gone on with. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { aGameServer } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { startTestService } from '../../support/start-test-service.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const SETTINGS = '{gsls}:settings';
const STATE = '{gsls}:state';
const REFUSAL = /before 0\.14: run 0\.14 on it first/;

const reasonOf = (act: () => Promise<unknown>): Promise<string> =>
  act().then(
    () => 'none',
    (error: Error) => error.message,
  );

/** What older releases leave in the settings of a store that has entries. */
const OLDER: Readonly<Record<string, (client: Redis) => Promise<unknown>>> = {
  '0.13': (client) => client.hset(SETTINGS, 'oldestRelease', '0.9'),
  '0.8': (client) => client.hdel(SETTINGS, 'oldestRelease'),
  '0.8, all of whose entries are gone': async (client) => {
    await client.del('{gsls}:servers', '{gsls}:changes', '{gsls}:clients', '{gsls}:server:id');
    await client.hdel(SETTINGS, 'oldestRelease');
  },
};

needs('redis-server').describe('a store in Redis', () => {
  const fixture = useReplicas();
  let client: Redis;
  beforeEach('entries', async () => {
    ({ client } = fixture);
    const registry = await fixture.open();
    await registry.broadcast('id', aGameServer());
    await registry.close();
  });

  /** As these sweep. */
  async function leaveAs(leave: (of: Redis) => Promise<unknown>): Promise<void> {
    await client.hdel(STATE, 'newestSweepAt');
    await client.hset(STATE, { sweptAt: Date.now(), latestSweepAt: Date.now() });
    await leave(client);
  }

  async function everything(): Promise<object> {
    const keys = (await client.keys('*')).toSorted();
    return Object.fromEntries(
      await Promise.all(
        keys.map(async (key) => [key, await client.dumpBuffer(key), await client.pexpiretime(key)]),
      ),
    ) as object;
  }

  const start = (): ReturnType<typeof startTestService> => {
    const { host, port } = client.options;
    return startTestService({ GSLS_REDIS: `redis://${host}:${port}` });
  };

  for (const [release, leave] of Object.entries(OLDER))
    it(`of ${release} is refused at the start, and nothing in it is touched`, async () => {
      await leaveAs(leave);
      const before = await everything();
      expect(await reasonOf(start)).to.match(REFUSAL);
      expect(await everything()).to.deep.equal(before);
    });

  it('of an older release that is there only after the start is not touched either', async () => {
    await leaveAs(OLDER['0.13']!);
    const before = await everything();
    const registry = await fixture.open();
    const reasons = await Promise.all([
      reasonOf(() => registry.list()),
      reasonOf(() => registry.ping('id', aGameServer())),
      reasonOf(() => registry.remove('id', aGameServer().ip)),
    ]);
    await fixture.clock.advance(5000);
    expect(new Set(reasons)).to.have.lengthOf(1);
    expect(await everything()).to.deep.equal(before);
    await client.hset(SETTINGS, 'oldestRelease', '0.14');
    await fixture.clock.advance(1000);
    expect(await registry.ping('id', aGameServer())).to.equal('refreshed');
  });

  for (const release of ['0.14', '0.15', '1.0'])
    it(`of ${release} is gone on with, and keeps that it is`, async () => {
      await client.hset(SETTINGS, 'oldestRelease', release);
      const service = await start();
      await service.close();
      const registry = await fixture.open();
      expect(await registry.ping('id', aGameServer())).to.equal('refreshed');
      expect(await client.hget(SETTINGS, 'oldestRelease')).to.equal(release);
    });

  it('that this release begins is one of 0.14, also once Redis has lost everything', async () => {
    const registry = await fixture.open();
    await client.flushall();
    expect(await registry.ping('id', aGameServer())).to.equal('refreshed');
    expect(await client.hget(SETTINGS, 'oldestRelease')).to.equal('0.14');
  });

  it('whose settings another program has replaced is mended', async () => {
    await client.del(SETTINGS);
    await client.set(SETTINGS, 'x');
    const registry = await fixture.open();
    expect(await registry.ping('id', aGameServer())).to.equal('refreshed');
  });
});
