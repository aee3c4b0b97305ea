/** The contract of the history: what the list showed, by the minute and by the hour. */

import { expect } from 'chai';
import { NO_DECISIONS, withBan } from '../../../src/registry/decisions/decisions.ts';
import { aBan } from '../a-ban.ts';
import type { RegistryFixture } from '../registry-fixture.ts';

const MINUTE_MS = 60_000;
/** Replicas tell a minute within so many ms of its end, where time passes sweep by sweep. */
const TOLD_WITHIN_MS = 10_000;

export function describeHistory(fixture: RegistryFixture): void {
  let startedAt: number;
  beforeEach(() => (startedAt = fixture.clock.now()));

  describe('the history', () => {
    it('has no point before a minute is over', async () => {
      await fixture.broadcast({ players: 3 });
      await fixture.clock.advance(MINUTE_MS - 1);
      expect(await fixture.registry.history.points('minute')).to.deep.equal([]);
      expect(await fixture.registry.history.points('hour')).to.deep.equal([]);
    });

    it('has the mean of each minute, and its peak of players', async () => {
      const ids = [await fixture.broadcast({ players: 4 }), await fixture.broadcast({ players: 3 })];
      await fixture.clock.advance(MINUTE_MS / 3);
      await fixture.ping(ids[1]!, { players: 90 });
      await fixture.clock.advance(MINUTE_MS / 3);
      await fixture.remove(ids[1]!);
      await fixture.ping(ids[0]!, { players: 4 });
      await fixture.clock.advance(MINUTE_MS / 3 + TOLD_WITHIN_MS);
      const points = await fixture.registry.history.points('minute');
      expect(points.map(({ time, peak }) => ({ time, peak }))).to.deep.equal([{ time: startedAt, peak: 94 }]);
      // A third with 2 servers, one with 2 and one with 1; the looks at the list lie some seconds apart.
      expect(points[0]!.servers).to.equal(2);
      expect(points[0]!.players).to.be.within(30, 45);
    });

    it('goes on minute by minute, and a minute that is there stays', async () => {
      const id = await fixture.broadcast();
      await fixture.passWhilePinging(MINUTE_MS, [id]);
      await fixture.clock.advance(TOLD_WITHIN_MS);
      const first = await fixture.registry.history.points('minute');
      await fixture.remove(id);
      await fixture.clock.advance(2 * MINUTE_MS);
      const points = await fixture.registry.history.points('minute');
      expect(points.map(({ time }) => time - startedAt)).to.deep.equal([0, MINUTE_MS, 2 * MINUTE_MS]);
      expect(points[0]).to.deep.equal(first[0]);
      expect(points[2]).to.deep.include({ servers: 0, players: 0, peak: 0 });
    });

    it('has the hour once it is over', async () => {
      fixture.clock.jump(50 * MINUTE_MS);
      const id = await fixture.broadcast({ players: 5 });
      for (let minute = 50; minute < 61; minute += 1) {
        await fixture.clock.advance(MINUTE_MS - 1);
        await fixture.ping(id, { players: minute === 55 ? 65 : 5 });
        await fixture.clock.advance(1);
      }
      await fixture.clock.advance(TOLD_WITHIN_MS);
      expect(await fixture.registry.history.points('hour')).to.deep.equal([
        { time: startedAt, servers: 1, players: 11, peak: 65 },
      ]);
    });

    it('leaves out a time in which nothing ran', async () => {
      await fixture.clock.advance(MINUTE_MS);
      fixture.clock.jump(10 * MINUTE_MS);
      await fixture.clock.advance(2 * MINUTE_MS + TOLD_WITHIN_MS);
      const points = await fixture.registry.history.points('minute');
      expect(points.map(({ time }) => (time - startedAt) / MINUTE_MS)).to.deep.equal([0, 11, 12]);
    });

    it('counts only what is shown', async () => {
      const ids = [
        await fixture.broadcast({ name: 'a game', players: 5 }),
        await fixture.broadcast({ name: 'Casino', players: 90 }),
      ];
      await fixture.registry.moderation.decide((decided) => withBan(decided, aBan({ name: 'casino' })));
      await fixture.clock.advance(MINUTE_MS - 1);
      await fixture.ping(ids[0]!, { name: 'a game', players: 5 });
      await fixture.ping(ids[1]!, { name: 'Casino', players: 90 });
      await fixture.registry.moderation.decide(() => NO_DECISIONS);
      await fixture.clock.advance(MINUTE_MS - 1);
      await fixture.clock.advance(TOLD_WITHIN_MS + 2);
      const points = await fixture.registry.history.points('minute');
      expect(points.slice(0, 2)).to.deep.equal([
        { time: startedAt, servers: 1, players: 5, peak: 5 },
        { time: startedAt + MINUTE_MS, servers: 2, players: 95, peak: 95 },
      ]);
    });
  });
}
