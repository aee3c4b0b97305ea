/** What several replicas do with what other protocols list: links that come at two of them, documents, and losses. */

import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { NativeState } from '../../../src/registry/native-entries.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { GameServer, ListedGameServer } from '../../../src/model/game-server.ts';
import type { RedisRegistry } from '../../../src/registry/redis/redis-registry.ts';
import { aGameServer, bodyOf } from '../../support/builders.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { needs } from '../../support/needs.ts';
import { expectConsistent } from '../../support/redis-losses.ts';
import { until } from '../../support/until.ts';
import { useReplicas } from '../../support/use-replicas.ts';

const LONG = { ttlMs: 900_000, silentBelowMs: 300_000 };
const CALLER = { address: '192.0.2.1' } as const;

/** Its mode says by which links it is described. */
const describedBy = (links: readonly string[]): GameServer => ({
  ...aGameServer(),
  details: Details.of({ mode: links.join(' ') }),
});

function anAnnouncement(link = 'a://1', document = 'a document'): NativeState {
  return { protocol: 'played', lifetime: LONG, link, describe: describedBy, document };
}

async function entryAt(registry: RedisRegistry, id = 'x'): Promise<ListedGameServer> {
  await registry.list();
  return registry.known(id)!;
}

/** Once the replica has it. */
async function documentAt(registry: RedisRegistry): Promise<string> {
  const entry = await entryAt(registry);
  await until(() => registry.nativeEntries.documentOf(entry) !== undefined);
  return registry.nativeEntries.documentOf(entry)!;
}

needs('redis-server').describe('what another protocol announces at several replicas', () => {
  const fixture = useReplicas();
  let client: Redis;
  let clock: ManualClock;
  let one: RedisRegistry;
  let other: RedisRegistry;

  beforeEach(async () => {
    ({ client, clock } = fixture);
    [one, other] = [await fixture.open({ lossNoticeMs: 30 }), await fixture.open({ lossNoticeMs: 30 })];
  });

  it('has all links, though two come at once', async () => {
    const links = ['a://1', 'b://2', 'c://3', 'd://4'];
    await Promise.all(
      links.map((link, n) => [one, other][n % 2]!.nativeEntries.publish('x', anAnnouncement(link), CALLER)),
    );
    const { fields } = (await entryAt(one)).details;
    expect(fields.links).to.have.members(links);
    expect(fields.mode).to.equal(fields.links!.join(' '));
    expect((await entryAt(other)).details.text).to.equal((await entryAt(one)).details.text);
  });

  it('has its document at each of them, and none once it has left', async () => {
    await one.nativeEntries.publish('x', anAnnouncement(), CALLER);
    expect(await documentAt(other)).to.equal('a document');
    await other.nativeEntries.publish('x', anAnnouncement('a://1', 'another'), CALLER);
    expect(await documentAt(one)).to.equal('another');
    const last = await entryAt(one);
    expect(await one.nativeEntries.withdraw('x', 'a://1')).to.equal('withdrawn');
    for (const registry of [one, other]) {
      await registry.list();
      expect(registry.nativeEntries.documentOf(last)).to.equal(undefined);
    }
    expect(await client.zcard('{gsls}:documents')).to.equal(0);
  });

  it('is written back whole by any of them after a wipe: links, lifetime and document', async () => {
    await one.nativeEntries.publish('x', anAnnouncement('a://1'), CALLER);
    await one.nativeEntries.publish('x', anAnnouncement('b://2'), CALLER);
    const { details } = await entryAt(other);
    await documentAt(other);
    await one.close();
    await client.flushall();
    expect((await entryAt(other)).details.text).to.equal(details.text);
    const third = await fixture.open({ lossNoticeMs: 30 });
    expect(await documentAt(third)).to.equal('a document');
    await clock.advance(LONG.ttlMs - 10_000);
    expect((await bodyOf(await third.list())).count).to.equal(1);
    expect(await third.nativeEntries.withdraw('x', 'a://1')).to.equal('withdrawn');
    expect((await entryAt(third)).id).to.equal('x');
    await clock.advance(30_000);
    expect((await bodyOf(await third.list())).count).to.equal(0);
    await expectConsistent(client);
  });

  it('keeps what is told again while the registry is not whole for the moment in which it is', async () => {
    await one.nativeEntries.publish('x', anAnnouncement(), CALLER);
    const { registeredVersion } = await entryAt(other);
    await client.flushall();
    const outcomes = await Promise.all([
      one.nativeEntries.publish('x', anAnnouncement(), CALLER),
      other.nativeEntries.publish('x', anAnnouncement('b://2'), CALLER),
    ]);
    expect(outcomes).to.deep.equal(['refreshed', 'refreshed']);
    expect((await entryAt(one)).registeredVersion).to.equal(registeredVersion);
  });

  for (const key of ['lifetimes', 'documents', 'servers', 'changes'])
    it(`goes on when another program deletes ${key}, or puts a text in its place`, async () => {
      await one.nativeEntries.publish('x', anAnnouncement(), CALLER);
      await entryAt(other);
      for (const damage of [
        () => client.del(`{gsls}:${key}`),
        () => client.set(`{gsls}:${key}`, 'nonsense'),
      ]) {
        await damage();
        await until(async () => {
          await one.list().catch(() => undefined);
          return one.known('x') !== undefined;
        });
        expect(await one.nativeEntries.publish('x', anAnnouncement(), CALLER)).to.equal('refreshed');
        expect((await bodyOf(await other.list())).count).to.equal(1);
      }
      for (const each of ['lifetimes', 'documents'])
        expect(await client.zscore(`{gsls}:${each}`, 'x')).to.be.a('string');
    });

  it('is told anew when another program has deleted its record', async () => {
    await one.nativeEntries.publish('x', anAnnouncement(), CALLER);
    await entryAt(other);
    await client.del('{gsls}:server:x');
    expect(await other.nativeEntries.publish('x', anAnnouncement(), CALLER)).to.equal('refreshed');
    expect(await client.hget('{gsls}:server:x', 'document')).to.equal('a document');
    expect(await entryAt(one)).to.include({ id: 'x', isClaimed: true });
  });
});
