/** The hold of a mass expiry where it is Redis': noted there, for all replicas, over pages and troubles. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent } from '../../support/redis-losses.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const { ttlMs, pingIntervalMs, longestHoldMs, maxSweepGapMs } = lifetime;

needs('redis-server').describe('the hold of a mass expiry in Redis', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;
  /** What each replica told, in the order they were opened. */
  let told: string[][];
  let expired: number;

  beforeEach(() => {
    ({ client, clock } = fixture);
    told = [];
    expired = 0;
  });
  afterEach(async () => {
    await client.config('SET', 'maxmemory', '0');
  });

  function openReplica(): Promise<RedisRegistry> {
    const news: string[] = [];
    told.push(news);
    return fixture.open({
      events: {
        onExpired: (ids) => (expired += ids.length),
        onExpiryHeld: ({ silent, listed }) => news.push(`${silent} of ${listed}`),
        onExpiryReleased: () => news.push('over'),
      },
    });
  }

  it('is reported once by every replica, and lasts when replicas come and go', async () => {
    const [first, second] = [await openReplica(), await openReplica()];
    await broadcastMany(first, 60);
    await clock.advance(2 * ttlMs);
    expect(await countOn(second)).to.equal(60);
    expect(told).to.deep.equal([['60 of 60'], ['60 of 60']]);
    await first.close();
    await second.close();
    const third = await openReplica();
    await clock.advance(ttlMs);
    expect(await countOn(third)).to.equal(60);
    expect(told[2]).to.deep.equal(['60 of 60']);
    await clock.advance(longestHoldMs - 2 * ttlMs - 1);
    expect(await countOn(third)).to.equal(60);
    await clock.advance(1);
    expect(await countOn(third)).to.equal(0);
    expect(told).to.deep.equal([['60 of 60'], ['60 of 60'], ['60 of 60', 'over']]);
    expect(expired).to.equal(60);
    await expectConsistent(client);
  });

  it('ends when it has lasted long enough, for thousands of entries, page after page', async () => {
    const registry = await openReplica();
    const alive = await broadcastMany(registry, 200);
    await broadcastMany(registry, 2300);
    const afterAnInterval = async (): Promise<number> => {
      await clock.advance(pingIntervalMs);
      await Promise.all(alive.map((id) => registry.ping(id, aGameServer())));
      return countOn(registry);
    };
    for (let held = pingIntervalMs - ttlMs; held < longestHoldMs; held += pingIntervalMs)
      expect(await afterAnInterval()).to.equal(2500);
    expect(await afterAnInterval()).to.equal(200);
    expect(expired).to.equal(2300);
    expect(told).to.deep.equal([['2300 of 2500', 'over']]);
    await countOn(registry);
    expect(await client.hexists('{gsls}:state', 'heldSince')).to.equal(0);
    await expectConsistent(client);
  });

  it('lasts through a gap in sweeping, after which the grace gate is shut', async () => {
    const registry = await openReplica();
    await broadcastMany(registry, 60);
    await clock.advance(ttlMs + 1000);
    clock.jump(maxSweepGapMs + 1);
    expect(await countOn(registry)).to.equal(60);
    expect(told).to.deep.equal([['60 of 60']]);
    await clock.advance(longestHoldMs + ttlMs);
    expect(await countOn(registry)).to.equal(0);
    expect(told).to.deep.equal([['60 of 60', 'over']]);
  });

  it('lasts while Redis has no memory, and lists stay current', async () => {
    const registry = await openReplica();
    await broadcastMany(registry, 60);
    await clock.advance(ttlMs - 1000);
    await client.config('SET', 'maxmemory', '1');
    await clock.advance(2000);
    expect(await countOn(registry)).to.equal(60);
    await clock.advance(longestHoldMs + ttlMs);
    expect(await countOn(registry)).to.equal(60);
    await client.config('SET', 'maxmemory', '0');
    // No game server could ping: one more TTL, and then the hold as if it began only now.
    await clock.advance(ttlMs - 1000);
    expect(await countOn(registry)).to.equal(60);
    await clock.advance(longestHoldMs + ttlMs + 1000);
    expect(await countOn(registry)).to.equal(0);
    expect(expired).to.equal(60);
    await expectConsistent(client);
  });
});

async function countOn(registry: RedisRegistry): Promise<number> {
  const { snapshot, staleSince } = await registry.list();
  expect(staleSince).to.equal(undefined);
  return snapshot.count;
}

async function broadcastMany(registry: RedisRegistry, count: number): Promise<string[]> {
  return inGroups(numbers(count), () => broadcastTo(registry, aGameServer()));
}
