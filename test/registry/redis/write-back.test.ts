/** What replicas do for a Redis that lost data: every promise about it, one by one. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { createLifetime } from '../../../src/registry/lifetime.ts';
import type { LostState } from '../../../src/registry/redis/follower/changes-batch.ts';
import type { ReloadReason } from '../../../src/registry/redis/events.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { LOSS_NOTICE_MS } from '../../../src/registry/redis/recovery/write-back.ts';
import { systemClock } from '../../../src/registry/registry.ts';
import { aGameServer, anEntry, bodyOf, broadcastTo } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { expectConsistent, saveRedis } from '../../support/redis-losses.ts';
import { until } from '../../support/until.ts';
import { useReplicas } from '../../support/use-replicas.ts';
import { Stopwatch } from '../../support/stopwatch.ts';

const { ttlMs } = lifetime;

needs('redis-server').describe('an entry that Redis has lost', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;
  let reloads: ReloadReason[];
  let restored: number[];

  beforeEach(() => {
    ({ client, clock } = fixture);
    reloads = [];
    restored = [];
  });

  function openReplica(options: Partial<RedisRegistryOptions> = {}): Promise<RedisRegistry> {
    return fixture.open({
      lossNoticeMs: 30,
      events: {
        onReload: (reason) => reloads.push(reason),
        onRestored: (entries) => restored.push(entries.length),
      },
      ...options,
    });
  }

  /** Time passes that no timer sees: no two changes fall on one ms, and no replica polls. */
  function later(): void {
    clock.jump(1);
  }

  describe('is restored', () => {
    it('after a wipe, in its place and once, however many replicas restore at the same time', async () => {
      const replicas = [await openReplica(), await openReplica(), await openReplica()];
      const made: string[] = [];
      for (let i = 0; i < 30; i += 1) {
        later();
        made.push(await broadcastTo(replicas[i % 3]!, aGameServer({ port: i + 1 })));
      }
      await Promise.all(replicas.map(ids));
      await client.flushall();
      later();
      expect(await Promise.all(replicas.map(ids))).to.deep.equal([made, made, made]);
      expect(restored.reduce((sum, count) => sum + count, 0)).to.equal(30);
      await expectConsistent(client);
    });

    it('in several batches and pages', async () => {
      const registry = await openReplica();
      const made = await inGroups(numbers(1100), (n) => broadcastTo(registry, aGameServer({ port: n + 1 })));
      const gone = made.splice(0, 300);
      await inGroups(gone, (id) => registry.remove(id, aGameServer().ip));
      await registry.list();
      await client.flushall();
      await registry.list().catch(() => undefined);
      while ((await registry.list()).staleSince !== undefined) await delay(20);
      expect(await ids(registry)).to.deep.equal(made);
      expect(await client.zcard('{gsls}:removed')).to.equal(300);
      await expectConsistent(client);
    });

    it('within a second by a replica without requests', async () => {
      const registry = await openReplica({
        lifetime: createLifetime(ttlMs),
        clock: systemClock,
        clockRulesRedis: false,
        lossNoticeMs: LOSS_NOTICE_MS,
      });
      const id = await broadcastTo(registry, aGameServer());
      await registry.list();
      await client.flushall();
      const stopwatch = new Stopwatch();
      while ((await client.zscore('{gsls}:servers', id)) === null) await delay(10);
      expect(stopwatch.stop()).to.be.below(1000);
    });

    it('also when one replica alone acknowledged it, a moment before the loss', async () => {
      const [registry, other] = [await openReplica(), await openReplica()];
      const rollBack = await saveRedis(client);
      const id = await broadcastTo(registry, aGameServer());
      await client.flushall();
      expect(await ids(registry)).to.deep.equal([id]);
      await rollBack();
      later();
      expect(await ids(registry)).to.deep.equal([id]);
      expect(await ids(other)).to.deep.equal([id]);
    });

    it('also when later writes hide the loss from the versions', async () => {
      const [registry, other] = [await openReplica(), await openReplica()];
      const first = await broadcastTo(registry, aGameServer());
      await Promise.all([ids(registry), ids(other)]);
      const rollBack = await saveRedis(client);
      later();
      const lost = await broadcastTo(registry, aGameServer());
      await rollBack();
      later();
      const next = await broadcastTo(other, aGameServer());
      expect(await ids(other)).to.deep.equal([first, next]);
      expect(await ids(registry)).to.deep.equal([first, lost, next]);
      expect(await ids(other)).to.deep.equal([first, lost, next]);
      await expectConsistent(client);
    });

    it('with a full TTL', async () => {
      const registry = await openReplica();
      const id = await broadcastTo(registry, aGameServer());
      await clock.advance(ttlMs - 1);
      await client.flushall();
      expect(await ids(registry)).to.deep.equal([id]);
      expect(Number(await client.zscore('{gsls}:servers', id))).to.equal(clock.now() + ttlMs);
    });

    it('again when it is lost again, and tombstones with it', async () => {
      const registry = await openReplica();
      const [gone, id] = [
        await broadcastTo(registry, aGameServer()),
        await broadcastTo(registry, aGameServer()),
      ];
      const rollBack = await saveRedis(client);
      later();
      await registry.remove(gone, aGameServer().ip);
      for (let i = 0; i < 3; i += 1) {
        later();
        await rollBack();
        expect(await ids(registry)).to.deep.equal([id]);
      }
    });
  });

  describe('with changed fields', () => {
    it('has the latest fields, whichever replica restores first', async () => {
      for (const order of [
        [0, 1],
        [1, 0],
      ]) {
        await client.flushall();
        const replicas = [await openReplica(), await openReplica()];
        const id = await broadcastTo(replicas[0]!, aGameServer({ players: 1 }));
        await Promise.all(replicas.map(ids));
        later();
        await replicas[0]!.ping(id, aGameServer({ players: 2, port: 2 }));
        await replicas[0]!.list();
        await client.flushall();
        later();
        for (const n of order) await replicas[n]!.list();
        for (const n of order)
          expect(await playersOn(replicas[n]!), `order ${order.join()}`).to.deep.equal([2]);
        await expectConsistent(client, { uniqueAddress: true });
      }
    });

    it('has the place of an address that is spelled in another way than it is compared', async () => {
      const registry = await openReplica({ uniqueAddress: true });
      const id = await broadcastTo(registry, aGameServer({ host: 'EU1.example.com.:7777' }));
      await registry.list();
      await client.flushall();
      later();
      expect(await ids(registry)).to.deep.equal([id]);
      await expectConsistent(client, { uniqueAddress: true });
      later();
      const next = await broadcastTo(registry, aGameServer({ host: 'eu1.example.com' }));
      expect(await ids(registry)).to.deep.equal([next]);
      await expectConsistent(client, { uniqueAddress: true });
    });

    it('has the latest fields in the place of those of a rollback, the address too', async () => {
      const registry = await openReplica();
      const id = await broadcastTo(registry, aGameServer({ port: 1 }));
      const rollBack = await saveRedis(client);
      later();
      await registry.ping(id, aGameServer({ port: 2, players: 9 }));
      await registry.list();
      await rollBack();
      later();
      expect((await bodyOf(await registry.list())).servers[0]).to.include({ id, port: 2, players: 9 });
      await expectConsistent(client, { uniqueAddress: true });
    });

    it('has the latest fields of a replica that was away, and that came back after two losses', async () => {
      const [awake, away] = [await openReplica(), await openReplica()];
      const id = await broadcastTo(awake, aGameServer({ players: 1 }));
      await Promise.all([awake, away].map(ids));
      later();
      await away.ping(id, aGameServer({ players: 2 }));
      for (let losses = 0; losses < 2; losses += 1) {
        await client.flushall();
        later();
        // What is written back is no newer for it.
        expect(await playersOn(awake)).to.deep.equal([1]);
      }
      const loss = await client.hget('{gsls}:state', 'loss');
      later();
      expect(await playersOn(away)).to.deep.equal([2]);
      expect(await playersOn(awake)).to.deep.equal([2]);
      // While it wrote back, no list counted as current.
      expect(await client.hget('{gsls}:state', 'loss')).not.to.equal(loss);
      await expectConsistent(client);
    });

    it('is no loss to a replica that was away and knows nothing newer', async () => {
      const [awake, away] = [await openReplica(), await openReplica()];
      const id = await broadcastTo(awake, aGameServer({ players: 1 }));
      await Promise.all([awake, away].map(ids));
      await client.flushall();
      later();
      expect(await ids(awake)).to.deep.equal([id]);
      const loss = await client.hget('{gsls}:state', 'loss');
      later();
      expect(await ids(away)).to.deep.equal([id]);
      expect(await client.hget('{gsls}:state', 'loss')).to.equal(loss);
    });

    it('keeps what the game server has said since the loss', async () => {
      const registry = await openReplica();
      const id = await broadcastTo(registry, aGameServer({ players: 1 }));
      const rollBack = await saveRedis(client);
      later();
      await registry.ping(id, aGameServer({ players: 2 }));
      await registry.list();
      await rollBack();
      later();
      expect(await registry.ping(id, aGameServer({ players: 1 }))).to.equal('refreshed');
      expect(await playersOn(registry)).to.deep.equal([1]);
    });
  });

  describe('does not come back', () => {
    it('if it was removed or expired, also when only another replica saw that', async () => {
      const witness = await openReplica();
      const blind = await openReplica({ clock: { now: () => clock.now(), every: () => () => undefined } });
      const [removed, silent, alive] = [
        await broadcastTo(witness, aGameServer()),
        await broadcastTo(witness, aGameServer()),
        await broadcastTo(witness, aGameServer()),
      ];
      expect(await ids(blind)).to.deep.equal([removed, silent, alive]);
      for (let i = 0; i < 3; i += 1) {
        await clock.advance(lifetime.pingIntervalMs);
        await Promise.all([removed, alive].map((id) => witness.ping(id, aGameServer())));
      }
      await witness.remove(removed, aGameServer().ip);
      expect(await ids(witness)).to.deep.equal([alive]);
      await client.flushall();
      later();
      await Promise.all([blind.list(), witness.list()]);
      expect([await ids(blind), await ids(witness)]).to.deep.equal([[alive], [alive]]);
    });

    for (const loss of ['wipe', 'rollback']) {
      it(`if this replica acknowledged its removal just before a ${loss}`, async () => {
        const [registry, other] = [await openReplica(), await openReplica()];
        const id = await broadcastTo(registry, aGameServer());
        await Promise.all([ids(registry), ids(other)]);
        const rollBack = await saveRedis(client);
        later();
        await registry.remove(id, aGameServer().ip);
        await (loss === 'wipe' ? client.flushall() : rollBack());
        later();
        await Promise.all([other.list(), registry.list()]);
        expect([await ids(registry), await ids(other)]).to.deep.equal([[], []]);
        await expectConsistent(client);
      });
    }

    it('also when the replica that knows of its removal comes late', async () => {
      const [registry, late] = [await openReplica(), await openReplica()];
      const id = await broadcastTo(registry, aGameServer());
      await Promise.all([ids(registry), ids(late)]);
      later();
      await late.remove(id, aGameServer().ip);
      await client.flushall();
      later();
      expect(await ids(registry)).to.deep.equal([id]);
      expect(await ids(late)).to.deep.equal([]);
      expect(await ids(registry)).to.deep.equal([]);
      await expectConsistent(client);
    });

    it('unless its game server has pinged since', async () => {
      const registry = await openReplica();
      const id = await broadcastTo(registry, aGameServer());
      const rollBack = await saveRedis(client);
      later();
      await registry.remove(id, aGameServer().ip);
      await registry.list();
      await rollBack();
      later();
      expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
      expect(await ids(registry)).to.deep.equal([id]);
      await expectConsistent(client);
    });

    it('by a late ping after a rollback, if it was removed; if it had expired, the ping revives it', async () => {
      const registry = await openReplica();
      const removed = await broadcastTo(registry, aGameServer());
      const expired = await broadcastTo(registry, aGameServer());
      await registry.list();
      const rollBack = await saveRedis(client);
      await registry.remove(removed, aGameServer().ip);
      await clock.advance(ttlMs + 1000);
      expect(await ids(registry)).to.deep.equal([]);
      await rollBack();
      expect(await ids(registry)).to.deep.equal([]);
      expect(reloads).to.have.lengthOf(1);
      // Until then some replica might still restore it.
      await clock.advance(3000);
      expect(await registry.ping(removed, aGameServer())).to.equal('unknown');
      expect(await registry.ping(expired, aGameServer())).to.equal('refreshed');
      expect(await ids(registry)).to.deep.equal([expired]);
      await expectConsistent(client);
    });

    it('by a late ping after a rollback to when it had expired, if it was revived and removed since', async () => {
      const registry = await openReplica();
      const id = await broadcastTo(registry, aGameServer());
      await clock.advance(2 * ttlMs);
      expect(await ids(registry)).to.deep.equal([]);
      const rollBack = await saveRedis(client);
      later();
      expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
      await registry.remove(id, aGameServer().ip);
      await registry.list();
      await rollBack();
      later();
      expect(await ids(registry)).to.deep.equal([]);
      await clock.advance(3000);
      expect(await registry.ping(id, aGameServer())).to.equal('unknown');
      await expectConsistent(client);
    });

    it('if it was removed twice, and Redis only remembers the first time', async () => {
      const door = fixture.scripts();
      const entry = anEntry({ version: 15 });
      await door.restore(removals(10));
      await door.restore(removals(20));
      expect(await door.restore({ version: 15, tombstones: [], listed: [entry] })).to.deep.equal([]);
      expect(await client.zcard('{gsls}:servers')).to.equal(0);
    });

    it('if the replica missed so many removals that Redis has forgotten some', async () => {
      const door = fixture.scripts();
      const removed = Array.from({ length: 10_001 }, (_, n) => ({
        id: `gone-${n}`,
        version: 100 + n,
        revivable: true,
        isClaimed: false,
      }));
      await door.restore({ version: 20_000, tombstones: removed, listed: [] });
      const entry = anEntry();
      expect(await door.restore({ version: 99, tombstones: [], listed: [entry] })).to.deep.equal([]);
      expect(await door.restore({ version: 100, tombstones: [], listed: [entry] })).to.deep.equal([entry.id]);
    });

    it('if the replica is told not to write back, or is closed', async () => {
      const registry = await openReplica({ writeBack: false });
      const closing = await openReplica({ lossNoticeMs: 200 });
      await broadcastTo(registry, aGameServer());
      await Promise.all([ids(registry), ids(closing)]);
      await client.flushall();
      const restoring = closing.list();
      // It has begun to tell what it knows.
      await until(async () =>
        (await client.hkeys('{gsls}:state')).some((field) => field.startsWith('restorer:')),
      );
      await closing.close();
      await restoring.catch(() => undefined);
      await delay(250);
      clock.jump(1000);
      expect(await ids(registry)).to.deep.equal([]);
      expect(await ids(registry)).to.deep.equal([]);
      expect(restored).to.deep.equal([]);
      expect(reloads).to.deep.equal(['epoch', 'epoch']);
    });

    it('if nothing was lost: a wrong digest makes replicas load the list anew and correct the digest, no more', async () => {
      const registry = await openReplica();
      const id = await broadcastTo(registry, aGameServer());
      const gone = await broadcastTo(registry, aGameServer());
      await registry.list();
      await registry.remove(gone, aGameServer().ip);
      await registry.list();
      await client.hset('{gsls}:state', 'digest', '1');
      expect(await ids(registry)).to.deep.equal([id]);
      expect(await ids(registry)).to.deep.equal([id]);
      expect(reloads).to.deep.equal(['digest', 'damage']);
      expect(restored).to.deep.equal([]);
      await expectConsistent(client);
    });
  });

  describe('at a unique address', () => {
    const unique = { uniqueAddress: true };

    it('is the one that registered last, also when no replica heard that it replaced another', async () => {
      const [registry, other] = [await openReplica(unique), await openReplica(unique)];
      await broadcastTo(registry, aGameServer());
      await Promise.all([ids(registry), ids(other)]);
      const rollBack = await saveRedis(client);
      for (const lose of [() => client.flushall(), rollBack]) {
        later();
        const latest = await broadcastTo(registry, aGameServer());
        await lose();
        later();
        await Promise.all([other.list(), registry.list()]);
        expect([await ids(registry), await ids(other)]).to.deep.equal([[latest], [latest]]);
        await expectConsistent(client, unique);
      }
    });

    it('does not replace an entry that registered there since', async () => {
      const registry = await openReplica(unique);
      await broadcastTo(registry, aGameServer());
      await registry.list();
      await client.flushall();
      later();
      const since = await broadcastTo(registry, aGameServer());
      expect(await ids(registry)).to.deep.equal([since]);
      await expectConsistent(client, unique);
    });

    it('frees the address from which it moved before a rollback', async () => {
      const registry = await openReplica(unique);
      const moved = await broadcastTo(registry, aGameServer({ port: 1 }));
      const rollBack = await saveRedis(client);
      later();
      await registry.ping(moved, aGameServer({ port: 2 }));
      await registry.list();
      await rollBack();
      later();
      await registry.list();
      const next = await broadcastTo(registry, aGameServer({ port: 1 }));
      expect(await ids(registry)).to.deep.equal([moved, next]);
      await expectConsistent(client, unique);
    });
  });

  describe('is not unknown', () => {
    for (const [act, outcome] of [
      ['ping', 'refreshed'],
      ['remove', 'removed'],
    ] as const) {
      it(`to a ${act}, which waits for it`, async () => {
        const [registry, other] = [await openReplica(), await openReplica()];
        const id = await broadcastTo(registry, aGameServer());
        await Promise.all([ids(registry), ids(other)]);
        await client.flushall();
        later();
        const call = act === 'ping' ? other.ping(id, aGameServer()) : other.remove(id, aGameServer().ip);
        expect(await call).to.equal(outcome);
        expect(await ids(registry)).to.deep.equal(act === 'ping' ? [id] : []);
      });
    }

    it('to a ping while another replica may still know it', async () => {
      const slow = { lossNoticeMs: 120 };
      const [registry, other] = [await openReplica(slow), await openReplica(slow)];
      await broadcastTo(other, aGameServer());
      await other.list();
      await registry.list();
      const id = await broadcastTo(registry, aGameServer());
      await client.flushall();
      later();
      const call = other.ping(id, aGameServer());
      await delay(60);
      await registry.list();
      expect(await call).to.equal('refreshed');
    });

    it('to a ping while some replica has not told all it knew: the ping gets registry_unavailable', async () => {
      const registry = await openReplica({ deadlines: { ...PATIENT, restorationMs: 200 } });
      const other = await openReplica({ lossNoticeMs: 500 });
      await broadcastTo(registry, aGameServer());
      await Promise.all([ids(registry), ids(other)]);
      await client.flushall();
      const restoring = other.list();
      await delay(50);
      const answer = await registry
        .ping(createGameServerId(), aGameServer())
        .catch((error: unknown) => error);
      expect(answer).to.have.property('code', 'registry_unavailable');
      await restoring;
      while ((await registry.list()).staleSince !== undefined) await delay(20);
      expect(await registry.ping(createGameServerId(), aGameServer())).to.equal('unknown');
    });
  });

  it('is in lists that are marked as stale until it is restored', async () => {
    const registry = await openReplica({ lossNoticeMs: 150, deadlines: { ...PATIENT, listMs: 30 } });
    const id = await broadcastTo(registry, aGameServer());
    await registry.list();
    await client.flushall();
    for (let i = 0; i < 5; i += 1) {
      const listing = await registry.list();
      if (i < 2) expect(listing.staleSince).to.be.a('number');
      expect((await bodyOf(listing)).servers.map((listed) => listed.id)).to.deep.equal([id]);
    }
  });
});

async function ids(registry: RedisRegistry): Promise<string[]> {
  return (await bodyOf(await registry.list())).servers.map(({ id }) => id);
}

async function playersOn(registry: RedisRegistry): Promise<number[]> {
  return (await bodyOf(await registry.list())).servers.map(({ players }) => players);
}

function removals(version: number): LostState {
  return { version: 20, tombstones: [{ id: 'id', version, revivable: true, isClaimed: false }], listed: [] };
}
