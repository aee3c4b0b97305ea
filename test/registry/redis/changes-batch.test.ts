/** What only Redis has: the feed, its pages, tombstones and digest, and what is left in Redis. */

import { expect } from 'chai';
import { finish } from '../../../src/api/work/work.ts';
import { RESUMABLE_US } from '../../../src/registry/lifetime.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { BEGINNING } from '../../../src/registry/redis/follower/changes-batch.ts';
import type { Redis } from 'ioredis';
import type { RedisRegistryEvents } from '../../../src/registry/redis/events.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, bodyOf, broadcastTo, textOf } from '../../support/builders.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { inGroups, numbers } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const { ttlMs, reviveWindowMs } = lifetime;

async function ids(registry: RedisRegistry): Promise<string[]> {
  return (await bodyOf(await registry.list())).servers.map(({ id }) => id);
}

async function bytes(registry: RedisRegistry): Promise<string> {
  return textOf(await registry.list());
}

needs('redis-server').describe('the registry in Redis', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;

  beforeEach(() => {
    ({ client, clock } = fixture);
  });

  const openReplica = (
    events: Partial<RedisRegistryEvents> = {},
    options: { holdMassExpiry?: boolean; writeBack?: boolean } = {},
  ): Promise<RedisRegistry> => fixture.open({ events, ...options });

  it('brings a replica up to date over several pages of changes', async () => {
    const [writer, follower] = [await openReplica(), await openReplica()];
    const made = await inGroups(numbers(1200), (i) => broadcastTo(writer, aGameServer({ players: i })));
    expect(await ids(follower)).to.have.members(made);
    await inGroups(made.slice(0, 700), (id) => writer.remove(id, aGameServer().ip));
    await inGroups(made.slice(700), (id) => writer.ping(id, aGameServer({ players: 7 })));
    expect(await bytes(follower)).to.equal(await bytes(writer));
    expect(await bytes(await openReplica())).to.equal(await bytes(writer));
    expect(await ids(follower)).to.deep.equal(made.slice(700));
  });

  it('loads the list while it changes, without a gap', async () => {
    const writer = await openReplica();
    const made = await inGroups(numbers(1200), () => broadcastTo(writer, aGameServer()));
    const joining = openReplica();
    await inGroups([...made.entries()], ([i, id]) =>
      i % 3 === 0
        ? writer.remove(id, aGameServer().ip).then(String)
        : writer.ping(id, aGameServer({ players: i })).then(String),
    );
    expect(await bytes(await joining)).to.equal(await bytes(writer));
  });

  it('tells texts as they are stored, whatever their characters', async () => {
    const names = [
      'a"b\\c/d',
      'tab\tand\u0000zero\u007f',
      'two\nlines\u2028',
      'caf\u00e9 \u{1f600}',
      '{"a":[1]}',
      '0',
    ];
    const writer = await openReplica();
    const made = await inGroups(names, () => broadcastTo(writer, aGameServer()));
    await Promise.all(made.map((id, i) => client.hset(`{gsls}:server:${id}`, 'name', names[i]!)));
    const broken = await broadcastTo(writer, aGameServer());
    await client.hset(`{gsls}:server:${broken}`, 'name', Buffer.from([0x61, 0xff, 0x22, 0x62]));
    const { servers } = await bodyOf(await (await openReplica()).list());
    expect(servers.map(({ name }) => name)).to.have.members([...names, 'a\ufffd"b']);
  });

  it('asks Redis once for any number of lists at the same time', async () => {
    const registry = await openReplica();
    await broadcastTo(registry, aGameServer());
    await client.config('RESETSTAT');
    await Promise.all(Array.from({ length: 500 }, () => registry.list()));
    const stats = await client.info('commandstats');
    expect(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]).to.equal('1');
  });

  it('expires each entry exactly once when three replicas sweep', async () => {
    const expired: string[] = [];
    const replicas = await Promise.all(
      [0, 1, 2].map(() =>
        openReplica(
          { onExpired: (gone) => expired.push(...gone.map(({ id }) => id)) },
          { holdMassExpiry: false },
        ),
      ),
    );
    const made = await inGroups(numbers(900), (i) => broadcastTo(replicas[i % 3]!, aGameServer()));
    await clock.advance(ttlMs - 1);
    clock.jump(1);
    const lists = await Promise.all(replicas.map((replica) => ids(replica)));
    expect(lists).to.deep.equal([[], [], []]);
    expect(expired.toSorted()).to.deep.equal(made.toSorted());
    expect(await client.zcard('{gsls}:removed')).to.equal(900);
    expect(await client.hget('{gsls}:state', 'digest')).to.equal('0');
  });

  it('works on after the scripts were flushed', async () => {
    const registry = await openReplica();
    const id = await broadcastTo(registry, aGameServer());
    await client.script('FLUSH');
    expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
    await client.script('FLUSH');
    expect(await ids(registry)).to.deep.equal([id]);
  });

  it('trims tombstones, and reloads a replica that has missed trimmed ones', async () => {
    const writer = await openReplica();
    const stays = await broadcastTo(writer, aGameServer());
    const sleeper = await openReplica();
    const made = await inGroups(numbers(21), () => broadcastTo(writer, aGameServer()));
    // What both know is over 10,000 removals and five minutes ago when they look again.
    await Promise.all([sleeper.list(), writer.list()]);
    await inGroups(made.slice(0, 20), (id) => writer.remove(id, aGameServer().ip));
    clock.jump(RESUMABLE_US / 1000 + 1000);
    await writer.remove(made[20]!, aGameServer().ip);
    const version = (await client.hget('{gsls}:state', 'version'))!;
    const others = Array.from({ length: 9_999 }, (_, n) => [version, `gone-${n}`]);
    await client.zadd('{gsls}:removed', ...others.flat());
    await fixture.scripts().changes(BEGINNING);
    expect(await client.zcard('{gsls}:removed')).to.equal(10_000);
    expect(await ids(sleeper)).to.deep.equal([stays]);
    expect(await ids(writer)).to.deep.equal([stays]);
  });

  it('tells what changed since any version, also on a replica that joined later', async () => {
    const writer = await openReplica();
    const [changes, gone, silent] = [
      await broadcastTo(writer, aGameServer({ port: 1 })),
      await broadcastTo(writer, aGameServer({ port: 2 })),
      await broadcastTo(writer, aGameServer({ port: 3 })),
    ];
    const hidden = createUnlistedId();
    await writer.broadcast(hidden, aGameServer({ port: 4 }));
    const { snapshot: known } = await writer.list();
    expect(known.count).to.equal(3);
    await writer.ping(changes, aGameServer({ port: 1, name: 'Another' }));
    await writer.remove(gone, aGameServer().ip);
    for (let ms = 0; ms < lifetime.ttlMs; ms += lifetime.pingIntervalMs) {
      await clock.advance(lifetime.pingIntervalMs);
      await writer.ping(changes, aGameServer({ port: 1, name: 'Another' }));
    }
    for (const replica of [writer, await openReplica()]) {
      const { snapshot } = await replica.list();
      const since = finish(snapshot.changesSince(known))!;
      expect(since.changed.map(({ id }) => id)).to.deep.equal([changes]);
      expect(since.gone).to.deep.equal(new Set([gone, silent]));
    }
  });

  it('tells since no version of before a loss, or before a ban of which a replica does not know the time before', async () => {
    const writer = await openReplica();
    const id = await broadcastTo(writer, aGameServer());
    const { snapshot: unbanned } = await writer.list();
    await writer.moderation.decide((decided) => ({ ...decided, bans: [aBan({ id })] }));
    const joined = await openReplica();
    const { snapshot: banned } = await writer.list();
    expect(finish(banned.changesSince(unbanned))).to.deep.equal({ changed: [], gone: new Set([id]) });
    const { snapshot: there } = await joined.list();
    expect(finish(there.changesSince(unbanned))).to.equal(undefined);
    expect(finish(there.changesSince(banned))).to.deep.equal({ changed: [], gone: new Set() });
    await client.flushall();
    const { snapshot: mended } = await writer.list();
    expect(finish(mended.changesSince(banned))).to.equal(undefined);
  });

  it('names its history by what headers can carry, whatever another program writes', async () => {
    const registry = await openReplica();
    await broadcastTo(registry, aGameServer());
    for (const field of ['loss', 'epoch']) {
      await client.hset('{gsls}:state', field, 'a\r\nb');
      clock.jump(1);
      const { snapshot } = await registry.list();
      expect([snapshot.epoch, snapshot.history].join(' ')).to.match(/^[\w.-]+ [\w.-]+$/);
    }
  });

  it('keeps no key that is not designed, and no record without an expiry', async () => {
    const registry = await openReplica();
    const listed = await broadcastTo(registry, aGameServer({ port: 1 }));
    const silent = await broadcastTo(registry, aGameServer({ port: 2 }));
    const gone = await broadcastTo(registry, aGameServer({ port: 3 }));
    await registry.remove(gone, aGameServer().ip);
    for (let i = 0; i < 4; i += 1) {
      await clock.advance(lifetime.pingIntervalMs);
      await registry.ping(listed, aGameServer({ port: 1 }));
    }
    expect((await client.keys('*')).toSorted()).to.deep.equal(
      [
        `{gsls}:server:${listed}`,
        `{gsls}:server:${silent}`,
        '{gsls}:addresses',
        '{gsls}:changes',
        '{gsls}:expired',
        '{gsls}:history:minute',
        '{gsls}:settings',
        '{gsls}:removed',
        '{gsls}:servers',
        '{gsls}:state',
      ].toSorted(),
    );
    expect(await client.pttl(`{gsls}:server:${listed}`)).to.be.within(23 * 3_600_000, 24 * 3_600_000);
    expect(await client.pttl(`{gsls}:server:${silent}`)).to.be.within(reviveWindowMs - 5000, reviveWindowMs);
    expect(await client.hlen('{gsls}:addresses')).to.equal(1);
  });

  it('keeps registries of different names apart', async () => {
    const [plain, named] = [await openReplica(), await fixture.open({ registryName: 'eu.2' })];
    const id = await broadcastTo(named, aGameServer());
    expect(await ids(plain)).to.deep.equal([]);
    expect(await ids(named)).to.deep.equal([id]);
    expect(await client.exists(`{gsls:eu.2}:server:${id}`)).to.equal(1);
  });
});
