/** The contract of the histories of game servers: what the list showed of each. */

import { expect } from 'chai';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import type { ServerHistory } from '../../../src/registry/backend.ts';
import { NO_DECISIONS, withBan } from '../../../src/registry/decisions/decisions.ts';
import { aBan } from '../a-ban.ts';
import { aGameServer } from '../builders.ts';
import type { RegistryFixture } from '../registry-fixture.ts';

const MINUTE_MS = 60_000;
const BLOCK_MS = 10 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Replicas store a block within so many ms of its end. */
const STORED_WITHIN_MS = 30_000;

export function describeServerHistories(fixture: RegistryFixture): void {
  const historyOf = async (id: string): Promise<ServerHistory | undefined> =>
    fixture.registry.serverHistories!.of(id);

  describe('the histories of game servers', () => {
    let startedAt: number;
    beforeEach(async () => {
      await fixture.reopen({ serverHistoryMost: 3 });
      startedAt = fixture.clock.now();
    });

    /** The rest of the block passes while these ping, with so many players, until the block is stored. */
    async function passBlock(ids: readonly string[], players = 3): Promise<void> {
      const passed = (fixture.clock.now() - startedAt) % BLOCK_MS;
      const end = fixture.clock.now() - passed + BLOCK_MS + STORED_WITHIN_MS;
      while (fixture.clock.now() < end) {
        await fixture.clock.advance(Math.min(20_000, end - fixture.clock.now()));
        for (const id of ids) await fixture.ping(id, { players });
      }
    }

    it('have the mean of players and the peak, and the share of time', async () => {
      const [stays, leaves] = [
        await fixture.broadcast({ players: 4 }),
        await fixture.broadcast({ players: 9 }),
      ];
      await passBlock([stays, leaves], 4);
      await fixture.remove(leaves);
      await passBlock([stays], 20);
      const ofOne = { time: startedAt, step: 'hour' };
      // At the first look of the second block it still had what it said before.
      const [point] = (await historyOf(stays))!.points;
      expect(point).to.deep.include({ ...ofOne, peak: 20, uptime: 1 });
      expect(point!.players).to.be.within(11, 13);
      const left = (await historyOf(leaves))!;
      expect(left.points[0]).to.deep.include({ ...ofOne, players: 4, peak: 9 });
      expect(left.uptime).to.be.within(0.5, 0.55);
      expect(left.points[0]!.uptime).to.equal(left.uptime);
    });

    it('count from the first minute, and not from the beginning of its hour', async () => {
      await passBlock([]);
      await fixture.clock.advance(3 * MINUTE_MS);
      const id = await fixture.broadcast();
      await passBlock([id]);
      expect(await historyOf(id)).to.deep.equal({
        points: [{ time: startedAt, step: 'hour', players: 3, peak: 3, uptime: 1 }],
        uptime: 1,
      });
    });

    it('take no outage of the service for one of the game servers', async () => {
      const id = await fixture.broadcast();
      await passBlock([id]);
      fixture.clock.jump(2 * HOUR_MS);
      await fixture.ping(id);
      await passBlock([id]);
      await passBlock([id]);
      const { points, uptime } = (await historyOf(id))!;
      expect(points.map(({ time }) => (time - startedAt) / HOUR_MS)).to.deep.equal([0, 2]);
      expect([...points.map((point) => point.uptime), uptime]).to.deep.equal([1, 1, 1]);
    });

    it('stay when the game server leaves or expires, for 30 days', async () => {
      const [removed, expires] = [await fixture.broadcast(), await fixture.broadcast()];
      await passBlock([removed, expires]);
      await fixture.remove(removed);
      await passBlock([]);
      for (const id of [removed, expires]) expect((await historyOf(id))!.points).to.have.length(1);
      fixture.clock.jump(29 * DAY_MS - 2 * BLOCK_MS - HOUR_MS);
      for (const id of [removed, expires])
        expect((await historyOf(id))!.points).to.deep.include.members([
          { time: startedAt, step: 'day', players: 3, peak: 3, uptime: (await historyOf(id))!.uptime },
        ]);
      fixture.clock.jump(DAY_MS + HOUR_MS);
      for (const id of [removed, expires]) expect(await historyOf(id)).to.equal(undefined);
      // Their places are free again.
      const others = [await fixture.broadcast(), await fixture.broadcast(), await fixture.broadcast()];
      await passBlock(others);
      await passBlock(others);
      for (const id of others) expect(await historyOf(id)).to.have.property('uptime', 1);
    });

    it('are none of what is unlisted, or was never shown', async () => {
      const unlisted = createUnlistedId();
      await fixture.registry.broadcast(unlisted, aGameServer());
      await fixture.registry.moderation.decide((decided) => withBan(decided, aBan({ name: 'casino' })));
      const banned = await fixture.broadcast({ name: 'Casino' });
      await passBlock([unlisted]);
      for (const id of [unlisted, banned, 'unknown', '']) expect(await historyOf(id)).to.equal(undefined);
    });

    it('are deleted by a ban, and begin anew after it', async () => {
      const id = await fixture.broadcast();
      const other = await fixture.broadcast({ name: 'Another', port: 7778 });
      await passBlock([id, other]);
      await fixture.registry.moderation.decide((decided) => withBan(decided, aBan({ id })));
      await fixture.clock.advance(STORED_WITHIN_MS);
      expect(await historyOf(id)).to.equal(undefined);
      expect(await historyOf(other)).to.have.property('uptime', 1);
      await fixture.registry.moderation.decide(() => NO_DECISIONS);
      await passBlock([id]);
      expect(await historyOf(id), 'of the block with the ban').to.equal(undefined);
      await passBlock([id], 5);
      expect(await historyOf(id)).to.have.property('uptime', 1);
    });

    it('are deleted when a moderator removes the entry, also what is not stored yet', async () => {
      const id = await fixture.broadcast();
      await passBlock([id]);
      await fixture.clock.advance(MINUTE_MS / 2);
      expect(await fixture.registry.evict(id)).to.equal('removed');
      expect(await historyOf(id)).to.equal(undefined);
      await passBlock([]);
      expect(await historyOf(id)).to.equal(undefined);
    });

    it('are no more than there may be: then new game servers get none, which is told once', async () => {
      const ids = [await fixture.broadcast(), await fixture.broadcast(), await fixture.broadcast()];
      await passBlock(ids);
      const more = [await fixture.broadcast(), await fixture.broadcast()];
      await passBlock([...ids, ...more]);
      await passBlock([...ids, ...more]);
      for (const id of ids) expect(await historyOf(id)).to.have.property('uptime', 1);
      for (const id of more) expect(await historyOf(id)).to.equal(undefined);
      expect(fixture.told.filter((line) => line.startsWith('histories'))).to.deep.equal(['histories full 3']);
    });

    it('are not there where none may be kept', async () => {
      await fixture.reopen();
      expect(fixture.registry.serverHistories).to.equal(undefined);
    });
  });
}
