/** A registry in Redis that nobody needs: how little it asks of Redis, what wakes it, and what it knows meanwhile. */

import { once } from 'node:events';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import { withBan, type Decisions } from '../../../src/registry/decisions/decisions.ts';
import type { RedisRegistryOptions } from '../../../src/registry/redis/redis-internals.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { createMetrics } from '../../../src/service/metrics/create-metrics.ts';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, bodyOf, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { valueOf } from '../../support/metrics.ts';
import { needs } from '../../support/needs.ts';
import { PATIENT } from '../../support/patient.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { until } from '../../support/until.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const MINUTE_MS = 60_000;
const RESTS_AFTER_MS = 2 * MINUTE_MS;
const LOOK_MS = 30_000;

const ban = (decided: Decisions): Decisions => withBan(decided, aBan({ name: 'casino' }));

needs('redis-server').describe('a registry in Redis that nobody needs', () => {
  const fixture = useReplicas();
  let client: Redis;
  /** The clock of what rests. */
  let clock: ManualClock;
  let told: string[];

  beforeEach(() => {
    ({ client, clock } = fixture);
    told = [];
  });

  const open = (options: Partial<RedisRegistryOptions> = {}): Promise<RedisRegistry> =>
    fixture.open({
      restsAfterMs: RESTS_AFTER_MS,
      lossNoticeMs: 20,
      serverHistoryMost: 10,
      events: { onUnavailable: () => told.push('out'), onAvailable: () => told.push('in') },
      ...options,
    });

  /** Opens a registry that nobody needed for so long that it rests. */
  async function openResting(options?: Partial<RedisRegistryOptions>): Promise<RedisRegistry> {
    const before = clock.timers;
    const registry = await open(options);
    await clock.advance(lifetime.sweepIntervalMs);
    expect(clock.timers - before, 'timers').to.equal(1);
    return registry;
  }

  /** Another replica, which never rests, on a clock that stands still. */
  const openOther = (options?: Partial<RedisRegistryOptions>): Promise<RedisRegistry> =>
    open({ restsAfterMs: undefined, clock: new ManualClock(clock.now()), ...options });

  /** Whether any registry with the clock does more than to look now and then. */
  const isAwake = (): boolean => clock.timers > 1;

  /** What clients ask of Redis meanwhile. */
  async function askedDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
    const asked: string[] = [];
    const monitor = await client.monitor();
    monitor.on('monitor', (_time, [command]: string[], source: string) => {
      if (source !== 'lua') asked.push(command!);
    });
    await work();
    await client.echo('end');
    await until(() => asked.at(-1)?.toLowerCase() === 'echo');
    monitor.disconnect();
    return asked.slice(0, -1);
  }

  it('rests once nobody has read for so long', async () => {
    const registry = await open();
    await registry.list();
    await clock.advance(RESTS_AFTER_MS - 1);
    expect(isAwake()).to.equal(true);
    await clock.advance(lifetime.sweepIntervalMs);
    expect(isAwake()).to.equal(false);
  });

  it('rests at once if nobody has read since it was opened', async () => {
    await openResting();
  });

  it('rests only when its last game server has been gone for so long', async () => {
    const registry = await open();
    const id = await broadcastTo(registry, aGameServer());
    for (let passed = 0; passed < 2 * RESTS_AFTER_MS; passed += lifetime.pingIntervalMs) {
      await clock.advance(lifetime.pingIntervalMs);
      await registry.ping(id, aGameServer());
    }
    await registry.remove(id, aGameServer().ip);
    await clock.advance(RESTS_AFTER_MS - 1);
    expect(isAwake()).to.equal(true);
    await clock.advance(lifetime.sweepIntervalMs);
    expect(isAwake()).to.equal(false);
  });

  it('never rests where it was not asked to', async () => {
    await open({ restsAfterMs: undefined });
    const { timers } = clock;
    await clock.advance(2 * RESTS_AFTER_MS);
    expect(clock.timers).to.equal(timers);
  });

  it('asks Redis at most four times a minute', async () => {
    await openResting();
    await clock.advance(MINUTE_MS);
    const asked = await askedDuring(() => clock.advance(10 * MINUTE_MS));
    expect(asked.length).to.be.within(20, 40);
  });

  it('leaves no timer when it is closed', async () => {
    const registry = await openResting();
    await registry.close();
    expect(clock.timers).to.equal(0);
  });

  describe('wakes', () => {
    const asks: Readonly<Record<string, (registry: RedisRegistry) => Promise<unknown>>> = {
      'a list': (registry) => registry.list(),
      'all entries': (registry) => registry.entries(),
      'a broadcast': (registry) => broadcastTo(registry, aGameServer()),
      'a ping': (registry) => registry.ping(createGameServerId(), aGameServer()),
      'a native entry': (registry) => registry.nativeEntries.withdraw(createGameServerId(), 'link'),
      'a decision': (registry) => registry.moderation.decide(ban),
      'the history': (registry) => registry.history.points('minute'),
      'the history of a game server': (registry) => registry.serverHistories!.of('id'),
    };
    for (const [what, ask] of Object.entries(asks))
      it(`when it is asked for ${what}`, async () => {
        const registry = await openResting();
        const asked = ask(registry);
        expect(isAwake()).to.equal(true);
        await asked;
        await clock.advance(RESTS_AFTER_MS - lifetime.sweepIntervalMs);
        expect(isAwake()).to.equal(true);
      });

    it('with a list that has what another replica wrote a moment ago', async () => {
      const registry = await openResting();
      const other = await openOther();
      const id = await broadcastTo(other, aGameServer());
      const listing = await registry.list();
      expect((await bodyOf(listing)).servers.map((listed) => listed.id)).to.deep.equal([id]);
      expect(listing.staleSince).to.equal(undefined);
      await other.remove(id, aGameServer().ip);
      await clock.advance(lifetime.sweepIntervalMs);
      expect(registry.known(id)).to.equal(undefined);
    });

    it('within half a minute of a broadcast to another replica', async () => {
      const registry = await openResting();
      const id = await broadcastTo(await openOther(), aGameServer());
      await clock.advance(LOOK_MS);
      expect(registry.known(id)).to.not.equal(undefined);
      expect(isAwake()).to.equal(true);
    });

    it('with the points of the history that another replica has told meanwhile', async () => {
      const registry = await openResting();
      expect(await registry.history.points('minute')).to.deep.equal([]);
      await clock.advance(RESTS_AFTER_MS + lifetime.sweepIntervalMs);
      expect(isAwake()).to.equal(false);
      const point = {
        time: clock.now() - (clock.now() % MINUTE_MS) - MINUTE_MS,
        servers: 7,
        players: 8,
        peak: 9,
      };
      await fixture.scripts().exchangeHistory('minute', [point], -1);
      expect(await registry.history.points('minute')).to.deep.include(point);
    });
  });

  it('is not woken by a scrape, and not kept awake', async () => {
    const registry = await open();
    await registry.list();
    const metrics = createMetrics();
    for (let passed = 0; passed <= RESTS_AFTER_MS; passed += 15_000) {
      await metrics.render(registry);
      await clock.advance(15_000);
    }
    expect(isAwake()).to.equal(false);
    const asked = await askedDuring(async () => {
      expect(valueOf(await metrics.render(registry), 'gsls_game_servers')).to.equal(0);
    });
    expect(asked).to.deep.equal([]);
    expect((await registry.glance()).staleSince).to.equal(undefined);
    expect(isAwake()).to.equal(false);
  });

  it('follows what moderators decide at other replicas', async () => {
    const registry = await openResting();
    const decided = await (await openOther()).moderation.decide(ban);
    await clock.advance(LOOK_MS);
    expect(registry.moderation.decided).to.deep.equal(decided);
    expect(isAwake()).to.equal(false);
  });

  it('drops a ban that has expired, and rests on', async () => {
    const registry = await openResting();
    const expiresAt = clock.now() + MINUTE_MS;
    await (
      await openOther()
    ).moderation.decide((decided) => withBan(decided, aBan({ name: 'x', expiresAt })));
    await clock.advance(MINUTE_MS + LOOK_MS);
    const { bans, audit } = registry.moderation.decided;
    expect([bans, audit.at(-1)?.action]).to.deep.equal([[], 'ban_expired']);
    expect(isAwake()).to.equal(false);
  });

  for (const [what, lose] of Object.entries({
    everything: (redis: Redis) => redis.flushall(),
    'its settings': (redis: Redis) => redis.del('{gsls}:settings'),
  }))
    it(`gives Redis back bans, audit and secret when it loses ${what}`, async () => {
      const other = await openOther();
      const decided = await other.moderation.decide(ban);
      const secret = other.secret.text;
      const registries = [await openResting(), await openResting()];
      await other.close();
      await lose(client);
      await clock.advance(2 * LOOK_MS);
      expect(clock.timers, 'timers').to.equal(2);
      expect((await client.hget('{gsls}:settings', 'secret'))?.split(':')[1]).to.equal(secret);
      for (const each of [...registries, await openOther()])
        expect([each.secret.text, each.moderation.decided]).to.deep.equal([secret, decided]);
    });

  it('gives it back at once when another registry of the process finds the loss', async () => {
    const { text } = (await openResting()).secret;
    const another = await open({ registryName: 'another', clock: new ManualClock(clock.now()) });
    await clock.advance(LOOK_MS);
    // Its first look, at a random time, may have been a moment ago: it then waits for a second.
    clock.jump(1000);
    await client.flushall();
    await another.list();
    await clock.advance(1);
    expect((await client.hget('{gsls}:settings', 'secret'))?.split(':')[1]).to.equal(text);
    expect((await openOther()).secret.text).to.equal(text);
    expect(isAwake()).to.equal(false);
  });

  it('looks once a second at the most, however often others find a loss', async () => {
    await openResting();
    await clock.advance(MINUTE_MS);
    const asked = await askedDuring(async () => {
      for (let n = 0; n < 100; n += 1) {
        client.emit('loss');
        await clock.advance(20);
      }
    });
    expect(asked.length).to.be.within(2, 6);
  });

  it('lists nothing new before Redis has back what it lost', async () => {
    const other = await openOther();
    const decided = await other.moderation.decide(ban);
    const registry = await openResting();
    const secret = registry.secret.text;
    await clock.advance(LOOK_MS);
    await other.close();
    await client.flushall();
    await broadcastTo(registry, aGameServer());
    expect((await client.hget('{gsls}:settings', 'secret'))?.split(':')[1]).to.equal(secret);
    expect((await openOther()).moderation.decided).to.deep.equal(decided);
  });

  describe('while Redis is away', () => {
    let own: Redis;
    beforeEach(() => (own = client.duplicate({ retryStrategy: () => null })));
    afterEach(() => own.disconnect());

    async function cutOff(): Promise<void> {
      const ended = once(own, 'end');
      own.disconnect();
      await ended;
    }

    it('looks as seldom as ever, and tells nobody', async () => {
      const failed: string[] = [];
      const registry = await openResting({
        client: own,
        deadlines: { ...PATIENT, retryMs: 0 },
        events: { onUnavailable: () => told.push('out'), onError: (kind) => failed.push(kind) },
      });
      await cutOff();
      await clock.advance(3 * LOOK_MS);
      expect([told, failed.length, isAwake()]).to.deep.equal([[], 6, false]);
      expect((await registry.glance()).staleSince).to.be.a('number');
      await own.connect();
      await clock.advance(LOOK_MS);
      expect((await registry.glance()).staleSince).to.equal(undefined);
      expect([told, isAwake()]).to.deep.equal([[], false]);
    });

    it('gives Redis back what it has lost as soon as it is there again', async () => {
      const { text } = (await openResting({ client: own })).secret;
      await cutOff();
      await client.flushall();
      await own.connect();
      await clock.advance(1);
      expect((await client.hget('{gsls}:settings', 'secret'))?.split(':')[1]).to.equal(text);
    });

    it('says so to the first who reads, and is there again when Redis is', async () => {
      const registry = await openResting({ client: own, deadlines: { ...PATIENT, retryMs: 0 } });
      const { text } = registry.secret;
      await cutOff();
      await clock.advance(LOOK_MS);
      const { staleSince, snapshot } = await registry.list();
      expect([typeof staleSince, snapshot.count, told]).to.deep.equal(['number', 0, ['out']]);
      // It does not rest before it knows what Redis has.
      clock.jump(RESTS_AFTER_MS);
      await clock.advance(50);
      expect(isAwake()).to.equal(true);
      await own.connect();
      await clock.advance(50);
      expect(told).to.deep.equal(['out', 'in']);
      expect((await registry.list()).staleSince).to.equal(undefined);
      expect(registry.secret.text).to.equal(text);
    });
  });
});
