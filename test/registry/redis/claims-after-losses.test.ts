/**
 * What Redis has lost of a claim, or of a move, replicas give back: an acknowledged claim lives as long as its entry.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { createGameServerId, type GameServer, type GameServerId } from '../../../src/model/game-server.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent, saveRedis } from '../../support/redis-losses.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const { ttlMs } = lifetime;
const NEW_IP = '198.51.100.1';
const OWNER: Caller = { address: '203.0.113.7', proof: 'token' };
const READER: Caller = { address: '192.0.2.66', proof: 'none' };

/** The ways to claim an entry that is listed without a claim. */
const CLAIMS: Readonly<Record<string, (registry: RedisRegistry, id: GameServerId) => Promise<unknown>>> = {
  'its first ping with a token': (registry, id) => registry.ping(id, aGameServer(), OWNER),
  'a repeated broadcast': (registry, id) => registry.broadcast(id, aGameServer(), OWNER),
  'a broadcast of a game server that starts anew': (registry, id) =>
    registry.rebroadcast(id, aGameServer({ ip: NEW_IP }), OWNER),
};

needs('redis-server').describe('a claim that Redis has lost', () => {
  const fixture = useReplicas();
  let client: Redis;

  beforeEach(() => ({ client } = fixture));

  const openReplica = (options: Partial<RedisRegistryOptions> = {}): Promise<RedisRegistry> =>
    fixture.open({ lossNoticeMs: 30, ...options });

  /** Time passes that no timer sees. */
  const later = (): void => fixture.clock.jump(1);

  async function twoReplicas(): Promise<[RedisRegistry, RedisRegistry]> {
    return [await openReplica(), await openReplica()];
  }

  for (const [way, claim] of Object.entries(CLAIMS)) {
    for (const loss of ['wipe', 'rollback'] as const) {
      it(`by ${way} is given back after a ${loss}, also where one replica alone knew of it`, async () => {
        const [registry, other] = await twoReplicas();
        const id = await broadcastTo(registry, aGameServer());
        await Promise.all([registry.list(), other.list()]);
        const rollBack = await saveRedis(client);
        later();
        expect(await claim(registry, id)).to.be.oneOf(['refreshed', 'listed']);
        await (loss === 'wipe' ? client.flushall() : rollBack());
        later();
        await Promise.all([other.list(), registry.list()]);
        await Promise.all([other.list(), registry.list()]);
        for (const replica of [registry, other]) await expectClaimed(replica, id);
        await expectConsistent(client);
      });

      it(`by ${way} is given back after a ${loss}, though a reader has changed the entry since`, async () => {
        const [registry, other] = await twoReplicas();
        const id = await broadcastTo(registry, aGameServer());
        await Promise.all([registry.list(), other.list()]);
        const rollBack = await saveRedis(client);
        later();
        await claim(registry, id);
        await (loss === 'wipe' ? client.flushall() : rollBack());
        later();
        // The replica that is asked knows nothing of the claim.
        if (loss === 'wipe') await other.list();
        later();
        await other.ping(id, aGameServer({ name: 'taken over' }), READER).catch(() => undefined);
        later();
        await Promise.all([other.list(), registry.list()]);
        await Promise.all([other.list(), registry.list()]);
        for (const replica of [registry, other]) await expectClaimed(replica, id);
        expect((await listedOn(other)).map(({ name }) => name)).to.deep.equal(['A server']);
        await expectConsistent(client);
      });
    }
  }

  it('is given back by a replica that only followed it, and sees a later version without it', async () => {
    const [registry, other] = await twoReplicas();
    const id = await broadcastTo(registry, aGameServer());
    const rollBack = await saveRedis(client);
    later();
    await registry.ping(id, aGameServer(), OWNER);
    await Promise.all([registry.list(), other.list()]);
    await registry.close();
    await rollBack();
    later();
    await fixture.scripts().ping(id, aGameServer({ name: 'taken over' }), READER);
    await other.list();
    await expectClaimed(other, id);
  });

  it('holds all the while on the replicas that know of it', async () => {
    const [registry] = await twoReplicas();
    const id = await broadcastTo(registry, aGameServer());
    const rollBack = await saveRedis(client);
    later();
    await registry.ping(id, aGameServer(), OWNER);
    await rollBack();
    later();
    expect(await registry.ping(id, aGameServer({ name: 'taken over' }), READER)).to.equal('not_owner');
    expect(await registry.remove(id, aGameServer().ip, READER)).to.equal('not_owner');
    expect(await registry.ping(id, aGameServer(), OWNER)).to.equal('refreshed');
    await expectClaimed(registry, id);
  });

  it('is given back with the tombstone of an entry that has expired since', async () => {
    const [registry, other] = await twoReplicas();
    const id = await broadcastTo(registry, aGameServer());
    const rollBack = await saveRedis(client);
    later();
    await registry.ping(id, aGameServer(), OWNER);
    await fixture.clock.advance(2 * ttlMs);
    expect(await listedOn(other)).to.deep.equal([]);
    await rollBack();
    later();
    await Promise.all([registry.list(), other.list()]);
    expect(await listedOn(other)).to.deep.equal([]);
    await fixture.clock.advance(3000);
    expect(await other.ping(id, aGameServer(), READER)).to.equal('not_owner');
    expect(await other.ping(id, aGameServer(), OWNER)).to.equal('refreshed');
  });

  it('that another program made up is taken back, also if a new replica has believed it', async () => {
    const [registry, other] = await twoReplicas();
    const id = await broadcastTo(registry, aGameServer());
    await Promise.all([registry.list(), other.list()]);
    await client.hset(`{gsls}:server:${id}`, 'claimed', '1');
    const joined = await openReplica();
    later();
    await withFullPings(async () => expect(await other.ping(id, aGameServer())).to.equal('refreshed'));
    for (const replica of [registry, other, joined]) {
      await replica.list();
      later();
    }
    for (const replica of [registry, other, joined]) {
      await replica.list();
      expect(replica.known(id)).to.have.property('isClaimed', false);
      expect(await replica.ping(id, aGameServer())).to.equal('refreshed');
    }
  });

  it('that another program made up does not outlive a new history', async () => {
    const [registry, other] = await twoReplicas();
    const id = await broadcastTo(registry, aGameServer());
    await Promise.all([registry.list(), other.list()]);
    await client.hset(`{gsls}:server:${id}`, 'claimed', '1');
    await client.del('{gsls}:state');
    later();
    await Promise.all([registry.list(), other.list()]);
    await Promise.all([registry.list(), other.list()]);
    expect(await client.hget(`{gsls}:server:${id}`, 'claimed')).to.equal(null);
    expect(await other.ping(id, aGameServer())).to.equal('refreshed');
  });

  it('that another program deleted is given back by a ping of its owner that says all', async () => {
    const [registry, other] = await twoReplicas();
    const id = createGameServerId();
    await registry.broadcast(id, aGameServer(), OWNER);
    await Promise.all([registry.list(), other.list()]);
    await client.hdel(`{gsls}:server:${id}`, 'claimed');
    later();
    await withFullPings(async () => expect(await other.ping(id, aGameServer(), OWNER)).to.equal('refreshed'));
    expect(await client.hget(`{gsls}:server:${id}`, 'claimed')).to.equal('1');
  });

  async function expectClaimed(registry: RedisRegistry, id: GameServerId): Promise<void> {
    await registry.list();
    expect(registry.known(id), 'the entry').to.have.property('isClaimed', true);
    expect(await client.hget(`{gsls}:server:${id}`, 'claimed')).to.equal('1');
    expect(await registry.ping(id, aGameServer(), READER)).to.equal('not_owner');
    expect(await fixture.scripts().ping(id, aGameServer(), READER)).to.include({ outcome: 'not_owner' });
  }
});

needs('redis-server').describe('an entry that moved before a loss', () => {
  const fixture = useReplicas();
  const moved = aGameServer({ ip: NEW_IP });

  /** One replica moved it, and the other one knows the IP before. */
  async function move(): Promise<{ mover: RedisRegistry; lagging: RedisRegistry; id: GameServerId }> {
    const still = { now: () => fixture.clock.now(), every: () => () => undefined };
    const mover = await fixture.open({ lossNoticeMs: 30 });
    const lagging = await fixture.open({ lossNoticeMs: 30, clock: still });
    const id = createGameServerId();
    await mover.broadcast(id, aGameServer(), OWNER);
    await Promise.all([mover.list(), lagging.list()]);
    fixture.clock.jump(1);
    expect(await mover.rebroadcast(id, moved, OWNER)).to.equal('refreshed');
    return { mover, lagging, id };
  }

  for (const order of ['the replica that knows its new IP', 'a replica with an older copy']) {
    it(`has its new IP, if ${order} restores first`, async () => {
      const { mover, lagging, id } = await move();
      await mover.list();
      await fixture.client.flushall();
      fixture.clock.jump(1);
      const [first, second] = order.includes('older') ? [lagging, mover] : [mover, lagging];
      const restoring = first.list();
      await delay(10);
      await Promise.all([restoring, second.list()]);
      for (const replica of [mover, lagging]) expect(await ipsOn(replica)).to.deep.equal([NEW_IP]);
      for (const replica of [mover, lagging])
        expect(await replica.ping(id, moved, OWNER)).to.equal('refreshed');
      await expectConsistent(fixture.client);
    });
  }

  it('is not taken back by a replica with an older copy, to which the game server of the old IP speaks', async () => {
    const { mover, lagging, id } = await move();
    expect(await lagging.ping(id, aGameServer(), OWNER)).to.equal('ip_mismatch');
    expect(await ipsOn(mover)).to.deep.equal([NEW_IP]);
  });

  it('answers to a ping from its new IP, also on a replica that has not heard of the move', async () => {
    const { mover, lagging, id } = await move();
    expect(await lagging.ping(id, moved, OWNER)).to.equal('refreshed');
    expect(await ipsOn(mover)).to.deep.equal([NEW_IP]);
  });
});

async function listedOn(registry: RedisRegistry): Promise<readonly (GameServer & { id: string })[]> {
  return (await bodyOf(await registry.list())).servers as unknown as readonly (GameServer & { id: string })[];
}

async function ipsOn(registry: RedisRegistry): Promise<string[]> {
  return (await listedOn(registry)).map(({ ip }) => ip);
}

/** Each ping says all in the meantime. */
async function withFullPings(work: () => Promise<unknown>): Promise<void> {
  const actualRandom = Math.random;
  Math.random = () => 0;
  try {
    await work();
  } finally {
    Math.random = actualRandom;
  }
}
