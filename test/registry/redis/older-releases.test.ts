/** How replicas tell that none of a release before 0.9, or before 0.14, is left, and what begins then. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { createGameServerId } from '../../../src/registry/game-server.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import type { BroadcastOutcome } from '../../../src/registry/registry.ts';
import { formerUnlistedId } from '../../../src/registry/unlisted-id.ts';
import { aGameServer } from '../../support/builders.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const lifetime = createLifetime(6000);
const { ttlMs, sweepIntervalMs, maxSweepGapMs } = lifetime;
const STATE = '{gsls}:state';
/** Now and then between two sweeps of this release. */
const STEP_MS = 100;

/** Why it was refused. */
async function reasonAt(act: () => Promise<unknown>): Promise<string> {
  const error = await act().then(
    () => undefined,
    (reason: Error) => reason,
  );
  return String(error?.message);
}

const announce = (registry: RedisRegistry): Promise<unknown> =>
  registry.announcements.announce(
    'x',
    {
      protocol: 'played',
      lifetime: { ttlMs: 30_000, silentBelowMs: 10_000 },
      link: 'a://1',
      describe: () => aGameServer(),
      document: 'd',
    },
    { address: '192.0.2.1' },
  );

const newId = (): string => formerUnlistedId(createGameServerId());
const broadcast = (registry: RedisRegistry, id = newId()): Promise<BroadcastOutcome> =>
  registry.broadcast(id, aGameServer());

needs('redis-server').describe('replicas of older releases', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;

  /** A registry that another release has begun. */
  beforeEach(async () => {
    ({ client, clock } = fixture);
    await client.hset('{gsls}:settings', 'secret', `${clock.now() - ttlMs}:a-secret`);
  });

  const open = (): Promise<RedisRegistry> => fixture.open({ lifetime });

  /** As an older replica does: it notes a sweep where the last one was an eighth of a gap ago. */
  async function sweepAsOlder(field: 'sweptAt' | 'latestSweepAt' = 'sweptAt'): Promise<void> {
    const sweptAt = Number(await client.hget(STATE, field));
    if (clock.now() - sweptAt > maxSweepGapMs / 8) await client.hset(STATE, field, clock.now());
  }

  async function pass(
    ms: number,
    { besideOlder = false }: { readonly besideOlder?: boolean | 'latestSweepAt' } = {},
  ): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await clock.advance(STEP_MS);
      if (besideOlder !== false) await sweepAsOlder(besideOlder === true ? 'sweptAt' : besideOlder);
    }
  }

  it('are seen as long as one sweeps, so that ids keep the form that it makes', async () => {
    const registry = await open();
    await pass(3 * ttlMs, { besideOlder: true });
    expect(await broadcast(registry)).to.equal('listed');
  });

  it('are gone when none has swept for a TTL: then no entry gets an id of their form', async () => {
    const registry = await open();
    await pass(ttlMs, { besideOlder: true });
    await pass(ttlMs / 2);
    expect(await broadcast(registry)).to.equal('listed');
    await pass(ttlMs);
    expect(await broadcast(registry)).to.equal('outdated_id');
  });

  it('leave ids that are used on: they answer to a broadcast that is repeated as before', async () => {
    const registry = await open();
    const [listed, gone] = [newId(), newId()];
    for (const id of [listed, gone]) await broadcast(registry, id);
    await registry.remove(gone, aGameServer().ip);
    await pass(2 * ttlMs);
    expect(await broadcast(registry)).to.equal('outdated_id');
    expect(await broadcast(registry, gone)).to.equal('unlisted');
    expect(await broadcast(registry, listed)).to.equal('unlisted');
    await registry.ping(listed, aGameServer());
    expect(await broadcast(registry, listed)).to.equal('listed');
  });

  it('change nothing when they come back', async () => {
    const registry = await open();
    await pass(2 * ttlMs);
    await pass(ttlMs, { besideOlder: true });
    expect(await broadcast(registry)).to.equal('outdated_id');
    expect(await broadcast(await open())).to.equal('outdated_id');
  });

  it('are not thought to be back after a loss, neither at once nor by a replica that joins', async () => {
    const registry = await open();
    await pass(2 * ttlMs);
    await client.flushall();
    expect(await broadcast(registry)).to.equal('outdated_id');
    await pass(2 * sweepIntervalMs);
    expect(await broadcast(await open())).to.equal('outdated_id');
  });

  it('are none in a registry that this release has begun', async () => {
    await client.flushall();
    expect(await broadcast(await open())).to.equal('outdated_id');
  });

  it('find every sweep noted, however often replicas of this release look', async () => {
    const registry = await open();
    for (let passed = 0; passed < 2 * ttlMs; passed += STEP_MS) {
      clock.jump(STEP_MS);
      await registry.list();
      const gapMs = clock.now() - Number(await client.hget(STATE, 'sweptAt'));
      expect(gapMs).to.be.below(maxSweepGapMs / 2 + STEP_MS);
    }
  });

  describe('that know no lifetimes but --ttl', () => {
    beforeEach(() => client.hset('{gsls}:settings', 'oldestRelease', '0.9'));

    it('keep entries of other protocols off as long as one sweeps, and for a TTL more', async () => {
      const registry = await open();
      await pass(3 * ttlMs, { besideOlder: 'latestSweepAt' });
      expect(await reasonAt(() => announce(registry))).to.match(/replicas of a release before 0\.14/);
      await pass(ttlMs / 2);
      expect(await reasonAt(() => announce(registry))).to.match(/before 0\.14/);
      await pass(ttlMs);
      expect(await announce(registry)).to.equal('listed');
      expect(await announce(await open())).to.equal('refreshed');
    });

    it('are not waited for in a registry that this release has begun', async () => {
      await client.flushall();
      expect(await announce(await open())).to.equal('listed');
    });

    it('find every sweep noted, however often replicas of this release look', async () => {
      const registry = await open();
      for (let passed = 0; passed < 2 * ttlMs; passed += STEP_MS) {
        clock.jump(STEP_MS);
        await registry.list();
        const gapMs = clock.now() - Number(await client.hget(STATE, 'latestSweepAt'));
        expect(gapMs).to.be.below(maxSweepGapMs / 2 + STEP_MS);
      }
    });
  });

  describe('that keep an address in the index as it was sent', () => {
    const gameServer = aGameServer({ host: 'EU1.example.com' });
    const [sent, place] = ['EU1', 'eu1'].map((host) => `${host}.example.com\n203.0.113.7\n7777`);
    const ADDRESSES = '{gsls}:addresses';

    it('list entries that give way to one of this release at the same address', async () => {
      const registry = await fixture.open({ lifetime, uniqueAddress: true });
      await registry.broadcast('old', gameServer);
      await client.del(ADDRESSES);
      await client.hset(ADDRESSES, sent!, 'old');
      await registry.broadcast('new', gameServer);
      expect([...(await registry.entries())].map(({ id }) => id)).to.deep.equal(['new']);
      expect(await client.hget(ADDRESSES, place!)).to.equal('new');
      await registry.remove('new', gameServer.ip);
      expect(await client.hlen(ADDRESSES)).to.equal(0);
    });

    it('leave the place of an entry behind that expired, and nothing takes it for one that is listed', async () => {
      const registry = await fixture.open({ lifetime, uniqueAddress: true });
      await registry.broadcast('expired', gameServer);
      const left = await client.hgetall(ADDRESSES);
      await clock.advance(2 * ttlMs);
      await client.hset(ADDRESSES, left);
      await registry.broadcast('next', aGameServer({ host: 'eu1.example.com' }));
      expect([...(await registry.entries())].map(({ id }) => id)).to.deep.equal(['next']);
      expect(await client.hget(ADDRESSES, place!)).to.equal('next');
      expect(await registry.ping('expired', { ...gameServer, port: 1 })).to.equal('refreshed');
    });
  });
});
