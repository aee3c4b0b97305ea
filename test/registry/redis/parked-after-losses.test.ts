/** What Redis has lost of parked entries, replicas give back: they stay off the list, and their tokens work. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { GameServerId } from '../../../src/model/game-server.ts';
import { NO_QUOTAS } from '../../../src/registry/registry-rules.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent, saveRedis } from '../../support/redis-losses.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const { keepIdMs, reviveWindowMs } = lifetime;
const { ip } = aGameServer();
const OWNER = { address: '203.0.113.7', proof: 'token' } as const satisfies Caller;

function rebroadcast(registry: RedisRegistry, id: GameServerId): Promise<unknown> {
  return registry.rebroadcast(id, aGameServer(), OWNER);
}

needs('redis-server').describe('a parked entry that Redis has lost', () => {
  const fixture = useReplicas();
  let client: Redis;
  let replicas: readonly [RedisRegistry, RedisRegistry];

  const open = (options: Partial<RedisRegistryOptions> = {}): Promise<RedisRegistry> =>
    fixture.open({ lossNoticeMs: 30, ...options });
  /** Time passes that no timer sees. */
  const later = (): void => fixture.clock.jump(1);

  beforeEach(async () => {
    ({ client } = fixture);
    replicas = [await open(), await open()];
  });

  async function listAll(): Promise<readonly string[]> {
    for (const replica of [...replicas, ...replicas]) {
      later();
      await replica.list();
    }
    return (await bodyOf(await replicas[0].list())).servers.map(({ id }) => id);
  }

  async function broadcast(): Promise<GameServerId> {
    const id = await broadcastTo(replicas[0], aGameServer());
    await listAll();
    return id;
  }

  for (const loss of ['wipe', 'rollback'] as const)
    for (const known of ['every replica knows it', 'one replica alone has acknowledged it'])
      it(`stays off the list after a ${loss}, and comes back under its id: ${known}`, async () => {
        const id = await broadcast();
        const rollBack = await saveRedis(client);
        later();
        expect(await replicas[0].park(id, ip, OWNER)).to.equal('removed');
        if (known.startsWith('every')) await listAll();
        await (loss === 'wipe' ? client.flushall() : rollBack());
        expect(await listAll()).to.deep.equal([]);
        await expectConsistent(client);
        expect(await replicas[1].ping(id, aGameServer(), OWNER)).to.equal('unknown');
        const fate = await replicas[1].fates.of(id);
        expect(fate).to.have.nested.property('entry.parkedUntil').that.is.above(fixture.clock.now());
        later();
        expect(await rebroadcast(replicas[1], id)).to.equal('refreshed');
        expect(await listAll()).to.deep.equal([id]);
        await expectConsistent(client);
      });

  it('gets its record back with the next loss, if that alone is lost', async () => {
    const id = await broadcast();
    await replicas[0].park(id, ip, OWNER);
    await listAll();
    await client.del(`{gsls}:server:${id}`, '{gsls}:state');
    await listAll();
    expect(await rebroadcast(replicas[1], id)).to.equal('refreshed');
  });

  it('is restored by a replica that came later', async () => {
    const id = await broadcast();
    await replicas[0].park(id, ip, OWNER);
    const late = await open();
    await Promise.all(replicas.map((replica) => replica.close()));
    await client.flushall();
    later();
    await late.list();
    expect(await rebroadcast(late, id)).to.equal('refreshed');
  });

  it('counts in quotas as before', async () => {
    const quotas = { ...NO_QUOTAS, maxServersPerAddress: 1 };
    const registry = await open({ quotas });
    expect(await registry.broadcast('first', aGameServer(), OWNER)).to.equal('listed');
    await registry.park('first', ip, OWNER);
    await listAll();
    await client.flushall();
    await listAll();
    fixture.clock.jump(2 * reviveWindowMs);
    await listAll();
    expect(await registry.broadcast('second', aGameServer(), OWNER)).to.include({ is: 'quota_exceeded' });
    fixture.clock.jump(keepIdMs);
    expect(await registry.broadcast('second', aGameServer(), OWNER)).to.equal('listed');
  });

  it('does not come back once it was removed for good', async () => {
    const [removed, evicted] = [await broadcast(), await broadcast()];
    for (const id of [removed, evicted]) await replicas[0].park(id, ip, OWNER);
    await listAll();
    later();
    await replicas[0].remove(removed, ip, OWNER);
    await replicas[1].evict(evicted);
    await client.flushall();
    expect(await listAll()).to.deep.equal([]);
    for (const id of [removed, evicted])
      for (const replica of replicas) expect(await rebroadcast(replica, id)).to.equal('unknown');
  });

  it('is listed if it had come back before the loss', async () => {
    const id = await broadcast();
    await replicas[0].park(id, ip, OWNER);
    await listAll();
    const rollBack = await saveRedis(client);
    later();
    await rebroadcast(replicas[1], id);
    await rollBack();
    expect(await listAll()).to.deep.equal([id]);
    await expectConsistent(client);
  });

  it('is emptied with the registry', async () => {
    const id = await broadcast();
    await replicas[0].park(id, ip, OWNER);
    await client.del('{gsls}:removed');
    await fixture.scripts().reset(() => undefined);
    expect(await client.keys('{gsls}:server:*')).to.deep.equal([]);
    expect(await rebroadcast(replicas[0], id)).to.equal('unknown');
  });

  it('keeps its count when the entries are recounted', async () => {
    const id = await broadcast();
    await replicas[0].park(id, ip, OWNER);
    fixture.clock.jump(2 * reviveWindowMs);
    await client.del('{gsls}:expired', '{gsls}:clients');
    const scripts = fixture.scripts();
    const first = await scripts.recount({ rank: 0, miscounted: [] });
    await scripts.recount(first);
    expect(await client.zrange('{gsls}:expired', 0, -1)).to.deep.equal([id]);
    fixture.clock.jump(keepIdMs);
    await scripts.recount({ rank: 0, miscounted: [] });
    expect(await client.zcard('{gsls}:expired')).to.equal(0);
  });
});
