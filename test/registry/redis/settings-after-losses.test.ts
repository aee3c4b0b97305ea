/** What stays whatever becomes of Redis: one secret for all replicas, and what moderators have decided. */

import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { NO_DECISIONS, withBan } from '../../../src/registry/decisions/decisions.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { needs } from '../../support/needs.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { saveRedis } from '../../support/redis-losses.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { useReplicas } from '../../support/use-replicas.ts';

/** Long enough that a replica joins in the meantime. */
const LOSS_NOTICE_MS = 60;
/**
 * A replica that joins waits this long for others to notice the loss. Seven registries share the process, and a look
 * of each has to come in the meantime.
 */
const PATIENT_NOTICE_MS = 2000;

interface KeysOfOne {
  readonly settings: string;
  readonly state: string;
}

/** One registry of several at the same time. It has its own clock: moving one puts off all of its timers. */
interface OneRegistry {
  readonly keys: KeysOfOne;
  readonly clock: ManualClock;
  open(options?: Partial<RedisRegistryOptions>): Promise<RedisRegistry>;
  lose(): Promise<unknown>;
}

needs('redis-server').describe('the settings of a registry', () => {
  const fixture = useReplicas();
  let client: Redis;

  beforeEach(() => ({ client } = fixture));

  const openReplica = (options: Partial<RedisRegistryOptions> = {}): Promise<RedisRegistry> =>
    fixture.open({ lossNoticeMs: LOSS_NOTICE_MS, ...options });

  const later = (): void => fixture.clock.jump(1);

  /** Every replica looks at Redis, as often as it takes to agree. */
  async function lookAll(replicas: readonly RedisRegistry[], clock = fixture.clock): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      clock.jump(1);
      await Promise.all(replicas.map((each) => each.list()));
    }
  }

  /** What happens to each registry, all at the same time: they wait most of it. */
  async function inRegistries(
    losses: Readonly<Record<string, (keys: KeysOfOne) => Promise<unknown>>>,
    play: (registry: OneRegistry) => Promise<void>,
  ): Promise<void> {
    await Promise.all(
      Object.entries(losses).map(async ([what, lose], n) => {
        const keys = { settings: `{gsls:${n}}:settings`, state: `{gsls:${n}}:state` };
        const clock = new ManualClock();
        const open: OneRegistry['open'] = (options) =>
          openReplica({ registryName: `${n}`, clock, ...options });
        await play({ keys, clock, open, lose: () => lose(keys) }).catch((error: unknown) => {
          throw new Error(`Redis loses ${what}: ${String(error)}`, { cause: error });
        });
      }),
    );
  }

  describe('the secret', () => {
    it('is one for three replicas that start together for the first time', async () => {
      const replicas = await Promise.all([openReplica(), openReplica(), openReplica()]);
      const secrets = replicas.map(({ secret }) => secret.text);
      expect(secrets[0]).to.match(/^[\w-]{43}$/);
      expect(new Set(secrets).size).to.equal(1);
    });

    it('stays, whatever Redis loses when a replica joins at once', () =>
      inRegistries(
        {
          'all keys': async ({ settings, state }) => {
            await client.del(settings, state);
            const prefix = settings.replace('settings', '');
            for (const key of await client.keys(`${prefix}*`)) await client.del(key);
          },
          'the settings': ({ settings }) => client.del(settings),
          'the secret': ({ settings }) => client.hdel(settings, 'secret'),
          'the settings and the state': ({ settings, state }) => client.del(settings, state),
          'the settings, now of another type': ({ settings }) => client.set(settings, 'x'),
          'the secret, now garbage': ({ settings }) => client.hset(settings, 'secret', 'x'),
          'the secret, now without a date': ({ settings }) => client.hset(settings, 'secret', ':x'),
        },
        async (one) => {
          const knowing = await one.open();
          await broadcastTo(knowing, aGameServer());
          await knowing.list();
          const secret = knowing.secret.text;
          await one.lose();
          const joined = await joinBeside(knowing, one);
          await lookAll([joined, knowing], one.clock);
          expect([joined.secret.text, knowing.secret.text]).to.deep.equal([secret, secret]);
          expect((await client.hget(one.keys.settings, 'secret'))?.split(':')[1]).to.equal(secret);
        },
      ));

    it('is a new one, if Redis loses the settings and no replica is left', async () => {
      const before = await openReplica();
      const secret = before.secret.text;
      await before.close();
      await client.del('{gsls}:settings');
      const next = await openReplica();
      expect(next.secret.text)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(secret);
    });

    it('is the older of two', async () => {
      const registry = await openReplica();
      const secret = registry.secret.text;
      await client.hset('{gsls}:settings', 'secret', `${fixture.clock.now() + 5}:newer`);
      await fixture.clock.advance(lifetime.sweepIntervalMs);
      expect(registry.secret.text).to.equal(secret);
      await client.hset('{gsls}:settings', 'secret', `${fixture.clock.now() - lifetime.ttlMs}:older`);
      await fixture.clock.advance(lifetime.sweepIntervalMs);
      expect(registry.secret.text).to.equal('older');
    });

    it('and the bans outlive a reset', async () => {
      const registry = await openReplica();
      const secret = registry.secret.text;
      await ban(registry, { name: 'casino' });
      await fixture.scripts().reset(() => undefined);
      await registry.close();
      const next = await openReplica();
      expect(next.secret.text).to.equal(secret);
      expect(next.moderation.decided.bans).to.have.length(1);
    });
  });

  describe('what moderators have decided', () => {
    for (const loss of ['wipe', 'rollback'] as const) {
      it(`stays after a ${loss}, also where one replica alone acknowledged it`, async () => {
        const [registry, other] = [await openReplica(), await openReplica()];
        for (const name of ['game', 'casino', 'poker']) await broadcastTo(registry, aGameServer({ name }));
        await ban(registry, { name: 'casino' });
        await lookAll([registry, other]);
        const rollBack = await saveRedis(client);
        later();
        await ban(registry, { name: 'poker' });
        await (loss === 'wipe' ? client.flushall() : rollBack());
        await lookAll([registry, other]);
        const joined = await openReplica();
        for (const replica of [registry, other, joined]) {
          expect(bansOn(replica)).to.deep.equal(['casino', 'poker']);
          expect(await namesOn(replica)).to.deep.equal(['game']);
        }
      });

      it(`stays lifted after a ${loss}`, async () => {
        const [registry, other] = [await openReplica(), await openReplica()];
        await broadcastTo(registry, aGameServer({ name: 'casino' }));
        await ban(registry, { name: 'casino' });
        await lookAll([registry, other]);
        const rollBack = await saveRedis(client);
        later();
        await registry.moderation.decide(() => NO_DECISIONS);
        await (loss === 'wipe' ? client.flushall() : rollBack());
        await lookAll([registry, other]);
        for (const replica of [registry, other]) expect(await namesOn(replica)).to.deep.equal(['casino']);
      });
    }

    it('is put right in Redis and on a replica that joined before, whatever becomes of it', () =>
      inRegistries(
        {
          'is garbage': ({ settings }) => client.hset(settings, 'moderation', 'x'),
          'is deleted': ({ settings }) => client.hdel(settings, 'moderation'),
          'has no version': ({ settings }) => client.hdel(settings, 'moderationVersion'),
          'has an absurd version': ({ settings }) => client.hset(settings, 'moderationVersion', 'nan'),
          'is garbage of a later version': ({ settings }) =>
            client.hset(settings, 'moderation', 'x', 'moderationVersion', '6000000000000000'),
          'is gone with the settings': ({ settings }) => client.del(settings),
        },
        async (one) => {
          const registry = await one.open();
          for (const name of ['game', 'casino']) await broadcastTo(registry, aGameServer({ name }));
          await ban(registry, { name: 'casino' });
          await one.lose();
          const joined = await joinBeside(registry, one);
          await one.clock.advance(2 * lifetime.sweepIntervalMs);
          await lookAll([joined, registry], one.clock);
          for (const replica of [registry, joined, await one.open()]) {
            expect(bansOn(replica)).to.deep.equal(['casino']);
            expect(await namesOn(replica)).to.deep.equal(['game']);
          }
        },
      ));

    it('can be changed, whatever version another program gave it', async () => {
      const [registry, other] = [await openReplica(), await openReplica()];
      await ban(registry, { name: 'casino' });
      await client.hset('{gsls}:settings', 'moderationVersion', '6000000000000000');
      await fixture.clock.advance(lifetime.sweepIntervalMs);
      await ban(registry, { name: 'poker' });
      await fixture.clock.advance(lifetime.sweepIntervalMs);
      await lookAll([registry, other]);
      for (const replica of [registry, other]) expect(bansOn(replica)).to.deep.equal(['casino', 'poker']);
    });

    it('loses nothing, if several replicas decide at the same time', async () => {
      const replicas = [await openReplica(), await openReplica(), await openReplica()];
      await Promise.all(replicas.map((each, n) => ban(each, { name: `name ${n}` })));
      await lookAll(replicas);
      for (const replica of replicas)
        expect(bansOn(replica).toSorted()).to.deep.equal(['name 0', 'name 1', 'name 2']);
    });
  });
});

/** A replica joins just before the one that knows all looks at Redis, as it does again and again. */
async function joinBeside(knowing: RedisRegistry, one: OneRegistry): Promise<RedisRegistry> {
  const looks = new AbortController();
  const joining = one.open({ lossNoticeMs: PATIENT_NOTICE_MS }).finally(() => looks.abort());
  while (!looks.signal.aborted) {
    await delay(LOSS_NOTICE_MS / 4);
    one.clock.jump(1);
    await knowing.list().catch(() => undefined);
  }
  return joining;
}

async function ban(registry: RedisRegistry, about: Parameters<typeof aBan>[0]): Promise<void> {
  await registry.moderation.decide((decided) => withBan(decided, aBan(about)));
}

/** The names that are banned. */
function bansOn({ moderation }: RedisRegistry): readonly string[] {
  return moderation.decided.bans.map(({ name }) => name!);
}

async function namesOn(registry: RedisRegistry): Promise<string[]> {
  return (await bodyOf(await registry.list())).servers.map(({ name }) => name);
}
