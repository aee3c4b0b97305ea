/** A list is current, and an id unknown, only while no replica knows more than Redis does. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import type { GameServer, GameServerId } from '../../../src/model/game-server.ts';
import type { ReloadReason } from '../../../src/registry/redis/events.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { expectConsistent, saveRedis } from '../../support/redis-losses.ts';
import { useReplicas } from '../../support/use-replicas.ts';

/** Long enough for a test to act before the replicas have done waiting for each other. */
const LOSS_NOTICE_MS = 120;

needs('redis-server').describe('a registry that is not whole', () => {
  const fixture = useReplicas();
  let client: Redis;
  let reloads: ReloadReason[];

  beforeEach(() => {
    ({ client } = fixture);
    reloads = [];
  });

  const openReplica = (options: Partial<RedisRegistryOptions> = {}): Promise<RedisRegistry> =>
    fixture.open({
      lossNoticeMs: LOSS_NOTICE_MS,
      events: { onReload: (reason) => reloads.push(reason) },
      ...options,
    });

  /** Two replicas that both know these. */
  async function listed(
    ...gameServers: GameServer[]
  ): Promise<[RedisRegistry, RedisRegistry, GameServerId[]]> {
    const replicas = [await openReplica(), await openReplica()] as const;
    const ids: GameServerId[] = [];
    for (const gameServer of gameServers) {
      fixture.clock.jump(1);
      ids.push(await broadcastTo(replicas[0], gameServer));
    }
    await Promise.all(replicas.map((each) => each.list()));
    fixture.clock.jump(1);
    return [...replicas, ids];
  }

  it('gives no list to a replica that joins after a wipe, until another replica has restored it', async () => {
    const [registry, , ids] = await listed(aGameServer({ port: 1 }), aGameServer({ port: 2 }));
    await client.flushall();
    const joining = openReplica();
    await delay(LOSS_NOTICE_MS / 4);
    const restoring = registry.list();
    const joined = await joining;
    expect(await idsOn(joined)).to.deep.equal(ids);
    await restoring;
    await expectConsistent(client);
  });

  it('gives no list to a replica that joins after a rollback, though its state says whole', async () => {
    const [registry] = await listed();
    const rollBack = await saveRedis(client);
    const id = await broadcastTo(registry, aGameServer());
    await registry.list();
    await rollBack();
    const joining = openReplica();
    await delay(LOSS_NOTICE_MS / 4);
    await registry.list();
    expect(await idsOn(await joining)).to.deep.equal([id]);
  });

  it('waits for the others from when the loss got its name, if its replica was paused after it noticed one', async () => {
    const actualNow = performance.now.bind(performance);
    const calls: { readonly name: string; readonly at: number }[] = [];
    const registry = await openReplica({
      events: {
        onCall: (name) => calls.push({ name, at: actualNow() }),
        onReload: () => (performance.now = () => actualNow() + 60_000),
      },
    });
    const rollBack = await saveRedis(client);
    await broadcastTo(registry, aGameServer());
    await registry.list();
    await rollBack();
    calls.length = 0;
    try {
      await registry.list();
    } finally {
      performance.now = actualNow;
    }
    const [named, whole] = ['restore', 'declare-whole'].map((name) =>
      calls.find((call) => call.name === name)!,
    );
    expect(whole!.at - named!.at).to.be.at.least(2 * LOSS_NOTICE_MS);
  });

  it('refuses lists on a replica that has none, and is whole soon where no replica knows an entry', async () => {
    const first = fixture.open({ lossNoticeMs: LOSS_NOTICE_MS });
    const deadlines = { ...PATIENT, listMs: DEADLINES.listMs };
    const second = await fixture.open(
      { lossNoticeMs: 60_000, clock: { now: () => 0, every: () => () => undefined }, deadlines },
      10,
    );
    const refused = await second.list().catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'registry_unavailable');
    expect(await idsOn(await first)).to.deep.equal([]);
  });

  it('shows what a ping had changed just before a wipe, in the old place', async () => {
    const [registry, other, ids] = await listed(aGameServer({ port: 1 }), aGameServer({ port: 2 }));
    expect(await registry.ping(ids[0]!, aGameServer({ port: 1, players: 9 }))).to.equal('refreshed');
    await client.flushall();
    for (const replica of [other, registry]) void replica.list();
    await until(async () => (await registry.list()).staleSince === undefined);
    await until(async () => (await other.list()).staleSince === undefined);
    for (const replica of [registry, other]) {
      const { servers } = await bodyOf(await replica.list());
      expect(servers.map(({ id, players }) => [id, players])).to.deep.equal([
        [ids[0], 9],
        [ids[1], 3],
      ]);
    }
    await expectConsistent(client);
  });

  it('answers no ping with unknown while another replica is about to notice a rollback', async () => {
    const [registry] = await listed();
    const rollBack = await saveRedis(client);
    const id = await broadcastTo(registry, aGameServer());
    await registry.list();
    await rollBack();
    const joined = fixture.open({ lossNoticeMs: LOSS_NOTICE_MS }, 0);
    const ping = (await joined).ping(id, aGameServer());
    await delay(LOSS_NOTICE_MS / 4);
    await registry.list();
    expect(await ping).to.equal('refreshed');
  });

  it('keeps an entry removed that was removed before the replica joined that restores the others', async () => {
    const [registry, asleep, ids] = await listed(aGameServer({ port: 1 }), aGameServer({ port: 2 }));
    expect(await registry.remove(ids[0]!, aGameServer().ip)).to.equal('removed');
    const joined = await openReplica();
    await registry.close();
    fixture.clock.jump(1);
    await client.flushall();
    for (const replica of [joined, asleep]) void replica.list();
    await until(async () => (await asleep.list()).staleSince === undefined);
    await until(async () => (await joined.list()).staleSince === undefined);
    expect(await idsOn(asleep)).to.deep.equal([ids[1]]);
    expect(await idsOn(joined)).to.deep.equal([ids[1]]);
  });

  it('is not what a reset leaves', async () => {
    const [registry, other] = await listed(aGameServer());
    await fixture.scripts().reset(() => undefined);
    expect(await idsOn(registry)).to.deep.equal([]);
    expect(await idsOn(other)).to.deep.equal([]);
    expect(reloads).to.deep.equal(['reset', 'reset']);
  });

  it('does not wait for a replica whose entries Redis refuses', async () => {
    const [, other, ids] = await listed(aGameServer());
    await client.call('ACL', 'SETUSER', 'weak', 'on', 'nopass', '~*', '+@all');
    const weakClient = client.duplicate({ username: 'weak', password: 'any' });
    const weak = await openReplica({ client: weakClient });
    await broadcastTo(weak, aGameServer({ name: 'known to the weak one alone' }));
    await client.call('ACL', 'SETUSER', 'weak', '-zadd');
    await client.flushall();
    await Promise.all([weak.untilListed(1000), other.untilListed(100)]);
    for (let ms = 0; ms < 2000; ms += 500) {
      fixture.clock.jump(500);
      await weak.untilListed(1000);
    }
    await until(async () => (await other.list()).staleSince === undefined);
    expect(await idsOn(other)).to.deep.equal(ids);
    expect((await weak.list()).staleSince).to.be.a('number');
    await weak.close();
    weakClient.disconnect();
    await client.call('ACL', 'DELUSER', 'weak');
  });

  it('is whole a second after the end of a replica that was restoring it', async () => {
    const [registry, other, ids] = await listed(aGameServer());
    await client.flushall();
    void registry.list();
    await delay(LOSS_NOTICE_MS / 2);
    await registry.close();
    void other.list();
    await delay(4 * LOSS_NOTICE_MS);
    expect((await other.list()).staleSince).to.be.a('number');
    fixture.clock.jump(1000);
    await until(async () => (await other.list()).staleSince === undefined);
    expect(await idsOn(other)).to.deep.equal(ids);
  });
});

async function idsOn(registry: RedisRegistry): Promise<string[]> {
  const listing = await registry.list();
  expect(listing.staleSince).to.equal(undefined);
  return (await bodyOf(listing)).servers.map(({ id }) => id);
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(5);
}
