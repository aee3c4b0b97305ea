/** The contract on what speaks Redis: a real server or, where there is none, the mock; a real Cluster. */

import { expect } from 'chai';
import type { RedisClient } from '../../../src/registry/redis/connection/create-client.ts';
import type { RegistryEvents } from '../../../src/registry/registry.ts';
import { BEGINNING, type ChangesBatch } from '../../../src/registry/redis/follower/changes-batch.ts';
import { createKeys } from '../../../src/registry/redis/keys.ts';
import { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { createScripts } from '../../../src/registry/redis/scripts/create-scripts.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { describeRegistry } from '../../support/describe-registry.ts';
import { lifetime, type OpenRegistry } from '../../support/registry-fixture.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { has, needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { createRedisMock } from '../../support/redis-mock.ts';
import { startRedisCluster, type RedisCluster } from '../../support/redis-cluster.ts';
import { useRedis } from '../../support/redis-server.ts';

function opener(client: () => RedisClient): OpenRegistry {
  return async ({ clock, uniqueAddress, holdMassExpiry, events, ...rules }) => {
    await client().flushall();
    const registry = new RedisRegistry({
      client: client(),
      registryName: 'test',
      lifetime,
      uniqueAddress,
      holdMassExpiry,
      events,
      ...rules,
      clock,
      clockRulesRedis: true,
      lossNoticeMs: 0,
      deadlines: PATIENT,
    });
    // As the service does at its start.
    await registry.list();
    return registry;
  };
}

describe('RedisRegistry', () => {
  const mock = createRedisMock();

  // The mock needs forty times as long, so it has the contract only where nothing better is there.
  if (has('redis-server'))
    describe('on a real server', () => {
      const redis = useRedis();
      describeRegistry(
        'Redis',
        opener(() => redis.client),
      );
    });
  else
    describe('on ioredis-mock (no redis-server here)', () => {
      describeRegistry(
        'Redis',
        opener(() => mock),
      );
    });

  it('lists a broadcast, refreshed by a ping, on ioredis-mock', async () => {
    const clock = new ManualClock();
    const names = ['onListed', 'onLeft', 'onExpired', 'onExpiryHeld', 'onExpiryReleased'] as const;
    const events = Object.fromEntries(names.map((name) => [name, () => {}])) as unknown as RegistryEvents;
    const open = opener(() => mock);
    const registry = await open({ clock, uniqueAddress: true, holdMassExpiry: true, events });
    const id = await broadcastTo(registry, aGameServer());
    expect(await registry.ping(id, aGameServer({ players: 9 }))).to.equal('refreshed');
    expect((await bodyOf(await registry.list())).servers[0]).to.include({ id, players: 9 });
    await registry.close();
  });

  needs('redis-server').describe('on a real Cluster', () => {
    let cluster: RedisCluster;
    before(async () => {
      cluster = await startRedisCluster();
    });
    after(() => cluster.stop());
    describeRegistry(
      'a Redis Cluster',
      opener(() => cluster.client),
      true,
    );

    it('waits for a record that is missing, as it may be moving to another node, and restores it after a second', async () => {
      const clock = new ManualClock();
      await cluster.client.flushall();
      const scripts = createScripts({
        client: cluster.client,
        keys: createKeys(''),
        lifetime,
        uniqueAddress: false,
        holdMassExpiry: true,
        deadlines: PATIENT,
        now: () => clock.now(),
      });
      const look = (): Promise<ChangesBatch> => scripts.changes(BEGINNING);
      const { epoch, health } = await look();
      await scripts.declareWhole(epoch, health.loss, 0);
      expect(await scripts.broadcast('lost', aGameServer())).to.have.property('outcome', 'listed');
      await cluster.client.del('{gsls}:server:lost');
      const refused = await look().catch((error: unknown) => error);
      expect(refused).to.have.property('code', 'registry_unavailable');
      clock.jump(1000);
      expect((await look()).count).to.equal(0);
      expect((await look()).health.isWhole).to.equal(false);
    });
  });
});
