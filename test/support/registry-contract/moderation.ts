/** The contract of what is registered but not shown: entries that are banned, or were not reached. */

import { expect } from 'chai';
import { REACHED } from '../../../src/model/game-server.ts';
import {
  NO_DECISIONS,
  withBan,
  withLabel,
  withoutLabel,
  type Ban,
  type LabelRule,
  type Patterns,
} from '../../../src/registry/decisions/decisions.ts';
import { aBan, aLabel } from '../a-ban.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

export function describeModeration(fixture: RegistryFixture): void {
  const ban = async (about: Partial<Ban>): Promise<void> => {
    await fixture.registry.moderation.decide((decided) => withBan(decided, aBan(about)));
  };
  const label = async (about: Patterns & Partial<LabelRule>): Promise<void> => {
    await fixture.registry.moderation.decide((decided) => withLabel(decided, aLabel(about)));
  };
  const labels = async (): Promise<readonly (readonly string[] | undefined)[]> =>
    (await fixture.list()).snapshot.chunks.flatMap(({ rows }) => rows).map((row) => row.labels);
  const all = async (): Promise<readonly string[]> =>
    [...(await fixture.registry.entries())].map(({ id }) => id).toSorted();

  describe('a ban', () => {
    it('takes entries off the list at once, and they stay registered', async () => {
      const [good, bad] = [await fixture.broadcast(), await fixture.broadcast({ name: 'Casino' })];
      const { version } = (await fixture.list()).snapshot;
      await ban({ name: '*casino*' });
      const { snapshot } = await fixture.list();
      expect(await fixture.listedIds()).to.deep.equal([good]);
      expect([snapshot.count, snapshot.version > version]).to.deep.equal([1, true]);
      expect(await all()).to.deep.equal([good, bad].toSorted());
      expect(await fixture.ping(bad, { name: 'Casino' })).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([good]);
    });

    it('holds for later broadcasts, and for an entry that takes on what is banned', async () => {
      await ban({ name: '*casino*' });
      await fixture.broadcast({ name: 'my CASINO' });
      const id = await fixture.broadcast();
      expect(await fixture.listedIds()).to.deep.equal([id]);
      await fixture.ping(id, { name: 'casino' });
      expect(await fixture.listedIds()).to.deep.equal([]);
      await fixture.ping(id, { name: 'a game' });
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('can be found before anything is listed', async () => {
      await ban({ name: '*casino*', mode: 'refuse' });
      const subject = { id: 'id', client: '', ip: '203.0.113.7', host: 'a', name: 'casino' };
      expect(fixture.registry.moderation.findBan(subject)).to.include({ mode: 'refuse' });
      expect(fixture.registry.moderation.findBan({ ...subject, name: 'a game' })).to.equal(undefined);
    });

    it('gives its entries back, in their places, when it is lifted', async () => {
      const ids = [await fixture.broadcast({ name: 'Casino' }), await fixture.broadcast()];
      await ban({ name: '*casino*' });
      await fixture.list();
      await fixture.registry.moderation.decide(() => NO_DECISIONS);
      expect(await fixture.listedIds()).to.deep.equal(ids);
      expect(fixture.registry.moderation.decided).to.deep.equal(NO_DECISIONS);
    });

    it('ends at its time', async () => {
      const id = await fixture.broadcast({ name: 'Casino' });
      await ban({ name: '*casino*', expiresAt: fixture.clock.now() + lifetime.ttlMs / 2 });
      expect(await fixture.listedIds()).to.deep.equal([]);
      await fixture.clock.advance(lifetime.ttlMs / 2 + 2 * lifetime.sweepIntervalMs);
      expect(await fixture.listedIds()).to.deep.equal([id]);
      expect(fixture.registry.moderation.decided.bans).to.deep.equal([]);
    });
  });

  describe('a label', () => {
    it('is given to entries that match, in alphabetical order, and each change is one of the list', async () => {
      await fixture.broadcast();
      await fixture.broadcast({ name: 'Cup 1' });
      const { version } = (await fixture.list()).snapshot;
      await label({ name: 'cup *', label: 'official' });
      await label({ host: 'game*', label: 'official', name: 'cup*' });
      await label({ name: 'cup *', label: '18+' });
      expect(await labels()).to.deep.equal([undefined, ['18+', 'official']]);
      const { snapshot } = await fixture.list();
      expect(snapshot.version).to.be.above(version);
      const last = snapshot.chunks.flatMap(({ rows }) => rows).at(-1)!;
      expect(fixture.registry.known(last.id)!.labels).to.deep.equal(['18+', 'official']);
    });

    it('goes with what it was given for, and comes with it', async () => {
      await label({ name: 'cup *' });
      const id = await fixture.broadcast({ name: 'Cup 1' });
      expect(await labels()).to.deep.equal([['official']]);
      await fixture.ping(id, { name: 'a game' });
      expect(await labels()).to.deep.equal([undefined]);
      await fixture.ping(id, { name: 'cup 2', players: 9 });
      expect(await labels()).to.deep.equal([['official']]);
      await fixture.ping(id, { name: 'cup 2', players: 10 });
      expect(await labels()).to.deep.equal([['official']]);
    });

    it('is taken back, and ends at its time', async () => {
      await fixture.broadcast();
      await label({ host: 'game*', rule: 'one', label: 'warned' });
      await label({ host: 'game*', expiresAt: fixture.clock.now() + lifetime.ttlMs / 2 });
      expect(await labels()).to.deep.equal([['official', 'warned']]);
      await fixture.registry.moderation.decide((decided) => withoutLabel(decided, 'one', 'ann', 1000)!);
      expect(await labels()).to.deep.equal([['official']]);
      await fixture.clock.advance(lifetime.ttlMs / 2 + 2 * lifetime.sweepIntervalMs);
      expect(await labels()).to.deep.equal([undefined]);
      expect(fixture.registry.moderation.decided.labels).to.deep.equal([]);
    });

    it('changes nothing of GET /', async () => {
      await fixture.broadcast();
      const before = await fixture.listed();
      await label({ host: 'game*' });
      expect(await fixture.listed()).to.deep.equal(before);
    });
  });

  describe('where only entries that were reached are shown', () => {
    beforeEach(() => fixture.reopen({ hidesUnreached: true }));

    it('an entry is shown once it was reached, until it was not', async () => {
      const id = await fixture.broadcast();
      expect(await fixture.listedIds()).to.deep.equal([]);
      await fixture.registry.reachability.note(id, aGameServer(), REACHED);
      expect(await fixture.listedIds()).to.deep.equal([id]);
      await fixture.ping(id, { players: 9 });
      expect((await fixture.listed())[0]).to.include({ id, players: 9 });
      await fixture.registry.reachability.note(id, aGameServer(), 'silent');
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect([...(await fixture.registry.entries())][0]).to.include({ id, reachability: 'silent' });
    });

    it('an entry that moves has to be reached again', async () => {
      const id = await fixture.broadcast();
      await fixture.registry.reachability.note(id, aGameServer(), REACHED);
      await fixture.ping(id, { port: 9 });
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('an attempt at another address than it has now does not count', async () => {
      const id = await fixture.broadcast();
      await fixture.registry.reachability.note(id, aGameServer({ port: 9 }), REACHED);
      await fixture.registry.reachability.note(id, aGameServer({ ip: '198.51.100.1' }), REACHED);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.registry.known(id)).to.include({ id, reachability: '' });
    });

    it('an attempt to reach it renews nothing', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(lifetime.ttlMs / 2);
      await fixture.registry.reachability.note(id, aGameServer(), REACHED);
      expect(await fixture.listedIds()).to.deep.equal([id]);
      await fixture.clock.advance(lifetime.ttlMs / 2 + 1);
      expect(await fixture.listedIds()).to.deep.equal([]);
      await fixture.registry.reachability.note(id, aGameServer(), 'silent');
      expect(await all()).to.deep.equal([]);
    });

    it('an attempt to reach it does not put off its expiry behind that of a later one', async () => {
      const earlier = await fixture.broadcast();
      await fixture.clock.advance(lifetime.ttlMs / 2);
      const later = await fixture.broadcast();
      for (const id of [later, earlier]) await fixture.registry.reachability.note(id, aGameServer(), REACHED);
      expect(await fixture.listedIds()).to.deep.equal([earlier, later]);
      await fixture.clock.advance(lifetime.ttlMs / 2 + 1);
      expect(await fixture.listedIds()).to.deep.equal([later]);
    });
  });
}
