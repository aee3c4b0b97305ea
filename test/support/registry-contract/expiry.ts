/** The contract of what time does: expiry, revival, and the grace gate. */

import { expect } from 'chai';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, reviveWindowMs, maxSweepGapMs, pingIntervalMs } = lifetime;
const OTHER_IP = '198.51.100.1';

export function describeExpiry(fixture: RegistryFixture): void {
  describe('expiry', () => {
    it('a game server is listed until its TTL is over, and not a moment longer', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs - 1);
      expect(await fixture.listedIds()).to.deep.equal([id]);
      await fixture.clock.advance(1);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.expired).to.deep.equal([id]);
    });

    it('a ping brings an expired game server back under its id, in its place, with its new data', async () => {
      const first = await fixture.broadcast();
      const second = await fixture.broadcast({ port: 2 });
      for (let i = 0; i < 4; i += 1) {
        await fixture.clock.advance(pingIntervalMs);
        await fixture.ping(second, { port: 2 });
      }
      expect(await fixture.listedIds()).to.deep.equal([second]);
      expect(await fixture.ping(first, { players: 8 })).to.equal('refreshed');
      expect((await fixture.listed()).map(({ id, players }) => [id, players])).to.deep.equal([
        [first, 8],
        [second, 3],
      ]);
      await fixture.clock.advance(ttlMs - 1);
      expect(await fixture.listedIds()).to.include(first);
      await fixture.clock.advance(1);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('a ping revives for the whole revive window, and only from the right IP', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs + reviveWindowMs - 1);
      expect(await fixture.ping(id, { ip: OTHER_IP })).to.equal('ip_mismatch');
      expect(await fixture.ping(id)).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('an id is unknown after the revive window', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs + reviveWindowMs);
      expect(await fixture.ping(id, { ip: OTHER_IP })).to.equal('unknown');
      expect(await fixture.ping(id)).to.equal('unknown');
      expect(await fixture.remove(id)).to.equal('unknown');
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('hundreds that are due together expire, each of them once', async () => {
      const ids = await fixture.broadcastMany(600);
      await fixture.clock.advance(ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.expired.toSorted()).to.deep.equal(ids.toSorted());
    });
  });

  describe('the grace gate', () => {
    it('after a gap in sweeping no entry expires for one TTL, then those without a ping do', async () => {
      const pinging = await fixture.broadcast();
      const silent = await fixture.broadcast();
      fixture.clock.jump(5 * ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([pinging, silent]);
      expect(await fixture.ping(pinging)).to.equal('refreshed');
      await fixture.clock.advance(ttlMs - 1);
      expect(await fixture.listedIds()).to.deep.equal([pinging, silent]);
      await fixture.ping(pinging);
      await fixture.clock.advance(1);
      expect(await fixture.listedIds()).to.deep.equal([pinging]);
    });

    it('after several short gaps no entry expires until a TTL after the last', async () => {
      const id = await fixture.broadcast();
      for (let gaps = 0; gaps < 3; gaps += 1) {
        await fixture.clock.advance(ttlMs / 2);
        fixture.clock.jump(maxSweepGapMs + 1);
        expect(await fixture.listedIds()).to.deep.equal([id]);
      }
      await fixture.clock.advance(ttlMs - 1);
      expect(await fixture.listedIds()).to.deep.equal([id]);
      await fixture.clock.advance(1);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('a gap in which hardly a ping fits leaves the gate open', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs - maxSweepGapMs / 2);
      fixture.clock.jump(maxSweepGapMs / 2);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.expired).to.deep.equal([id]);
    });

    it('a clock that goes back expires no living entry, and the silent ones still in time', async () => {
      const pinging = await fixture.broadcast();
      const silent = await fixture.broadcast();
      await fixture.clock.advance(1000);
      fixture.clock.jump(-3_600_000);
      expect(await fixture.listedIds()).to.deep.equal([pinging, silent]);
      await fixture.clock.advance(pingIntervalMs);
      expect(await fixture.ping(pinging)).to.equal('refreshed');
      await fixture.clock.advance(ttlMs - pingIntervalMs);
      expect(await fixture.listedIds()).to.deep.equal([pinging]);
    });

    it('later changes have higher versions though the clock went back', async () => {
      await fixture.broadcast();
      const { snapshot: before } = await fixture.list();
      fixture.clock.jump(-3_600_000);
      const later = await fixture.broadcast();
      const { snapshot: after } = await fixture.list();
      expect(after.version).to.be.above(before.version);
      expect((await fixture.listedIds())[1]).to.equal(later);
    });
  });
}
