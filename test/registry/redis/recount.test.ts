/** Counts of quotas that do not fit the entries, as damage leaves them, and how they come right again. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { networkNumber } from '../../../src/registry/redis/client-network.ts';
import { NO_QUOTAS } from '../../../src/registry/registry-rules.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { BroadcastOutcome } from '../../../src/registry/registry.ts';
import { aGameServer } from '../../support/builders.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const { ttlMs, sweepIntervalMs } = lifetime;
const HOME = { address: '192.0.2.1', proof: 'none' } as const;
/** So many that a recount takes several parts. */
const COUNT = 150;

needs('redis-server').describe('the counts of quotas', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;
  let registry: RedisRegistry;
  beforeEach(async () => {
    ({ client, clock } = fixture);
    const quotas = { ...NO_QUOTAS, maxServers: COUNT, maxServersPerAddress: COUNT };
    registry = await fixture.open({ quotas, holdMassExpiry: false });
    for (let n = 0; n < COUNT; n += 1) await broadcast(`id-${n}`);
  });

  function broadcast(id: string): Promise<BroadcastOutcome> {
    return registry.broadcast(id, aGameServer(), HOME);
  }

  function pingAll(): Promise<unknown> {
    return Promise.all(
      Array.from({ length: COUNT }, (_, n) => registry.ping(`id-${n}`, aGameServer(), HOME)),
    );
  }

  /** The entries are counted anew in parts, one for each sweep; one more pass counts what the first one found. */
  async function recount(): Promise<void> {
    for (let part = 0; part < 12; part += 1) {
      await clock.advance(sweepIntervalMs);
      if (part % 3 === 0) await pingAll();
    }
  }

  async function expectFull(): Promise<void> {
    for (const of of ['all', 'address'])
      expect(await client.zcard(of === 'all' ? '{gsls}:servers' : '{gsls}:clients')).to.equal(COUNT);
    expect(await client.zcard('{gsls}:expired')).to.equal(0);
    expect(await broadcast('one more')).to.deep.equal({
      is: 'quota_exceeded',
      of: 'all',
      limit: COUNT,
      count: COUNT,
    });
  }

  it('have what such a release listed, once a ping has told of its client', async () => {
    await client.del('{gsls}:clients');
    for (let n = 0; n < COUNT; n += 2) await client.hdel(`{gsls}:server:id-${n}`, 'client');
    // A ping that says all: one in 16 does, also when nothing is new.
    await Promise.all(
      Array.from({ length: COUNT }, (_, n) => registry.ping(`id-${n}`, aGameServer({ name: 'x' }), HOME)),
    );
    await pingAll();
    await recount();
    await expectFull();
  });

  it('have what such a release revived, and once', async () => {
    await clock.advance(2 * ttlMs);
    expect(await client.zcard('{gsls}:expired')).to.equal(COUNT);
    const expired = await client.zrange('{gsls}:expired', 0, -1, 'WITHSCORES');
    await pingAll();
    for (let i = 0; i < expired.length; i += 2)
      await client.zadd('{gsls}:expired', expired[i + 1]!, expired[i]!);
    await recount();
    await expectFull();
  });

  it('have what such a release moved to another client for the network of that one', async () => {
    const moved = ['id-0', 'id-149'];
    for (const id of moved) await client.hset(`{gsls}:server:${id}`, 'client', '192.0.2.2');
    await recount();
    await expectFull();
    const scores = await Promise.all(['id-1', ...moved].map((id) => client.zscore('{gsls}:clients', id)));
    const [home, other] = ['192.0.2.1', '192.0.2.2'].map(networkNumber);
    expect(scores).to.deep.equal([home, other, other]);
  });

  it('keep an entry for the network that it moved to after it was found to count wrongly', async () => {
    const scripts = fixture.scripts();
    await client.zadd('{gsls}:clients', 1, 'id-0');
    let position = await scripts.recount({ rank: 0, miscounted: [] });
    while (position.miscounted.length === 0) position = await scripts.recount(position);
    expect(position.miscounted).to.deep.equal([['id-0', HOME.address, '1']]);
    await registry.rebroadcast('id-0', aGameServer(), { address: '192.0.2.2', proof: 'token' });
    await scripts.recount(position);
    expect(await client.zscore('{gsls}:clients', 'id-0')).to.equal(networkNumber('192.0.2.2'));
  });

  it('do not have what such a release removed, listed or expired', async () => {
    const [counted, expired] = ['{gsls}:clients', '{gsls}:expired'];
    for (let n = 0; n < 100; n += 1) {
      await client.zadd(counted, 1, `gone-${n}`);
      if (n % 2 === 0) await client.zadd(expired, clock.now() + 10 * ttlMs, `gone-${n}`);
    }
    await recount();
    await recount();
    await expectFull();
  });
});
