/** The contract of the hold of a mass expiry: when it begins, what it holds, and how it ends. */

import { expect } from 'chai';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, pingIntervalMs, sweepIntervalMs, longestHoldMs } = lifetime;

export function describeExpiryHold(fixture: RegistryFixture): void {
  /** 60 are listed, of which 12 go on pinging and 48 have just been found silent. */
  async function beginHold(): Promise<{ pinging: readonly string[]; silent: readonly string[] }> {
    const silent = await fixture.broadcastMany(48);
    const pinging = await fixture.broadcastMany(12);
    await fixture.passWhilePinging(ttlMs, pinging);
    return { pinging, silent };
  }

  /** So many entries, the first of them of the first of so many addresses, and so on. */
  async function broadcastFrom(
    network: string,
    addresses: number,
    count = addresses,
  ): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => createGameServerId());
    const outcomes = await Promise.all(
      ids.map((id, n) =>
        fixture.registry.broadcast(id, aGameServer(), {
          address: `${network}.${n % addresses}`,
          proof: 'none',
        }),
      ),
    );
    expect(new Set(outcomes)).to.deep.equal(new Set(['listed']));
    return ids;
  }

  describe('the hold of a mass expiry', () => {
    beforeEach(() => fixture.reopen({ holdMassExpiry: true }));

    it('the hold is told once with its numbers, and no entry expires meanwhile', async () => {
      const { pinging, silent } = await beginHold();
      await fixture.passWhilePinging(2 * ttlMs, pinging);
      expect(await fixture.listedIds()).to.have.members([...silent, ...pinging]);
      expect(fixture.expired).to.deep.equal([]);
      expect(fixture.holds).to.deep.equal([{ silent: 48, listed: 60 }]);
    });

    it('the hold ends when it has lasted too long: all silent entries expire', async () => {
      const { pinging, silent } = await beginHold();
      await fixture.passWhilePinging(longestHoldMs - pingIntervalMs, pinging);
      await fixture.clock.advance(pingIntervalMs - sweepIntervalMs);
      expect(await fixture.listedIds()).to.have.lengthOf(60);
      await fixture.clock.advance(sweepIntervalMs);
      expect(await fixture.listedIds()).to.have.members(pinging);
      expect(fixture.expired).to.have.members(silent);
      await fixture.passWhilePinging(ttlMs, pinging);
      expect(fixture.holds).to.deep.equal([{ silent: 48, listed: 60 }, 'released']);
    });

    it('a new hold can follow one that lasted too long', async () => {
      const { pinging } = await beginHold();
      await fixture.passWhilePinging(longestHoldMs, pinging);
      const silent = await fixture.broadcastMany(60);
      await fixture.passWhilePinging(2 * ttlMs, pinging);
      expect(await fixture.listedIds()).to.have.members([...pinging, ...silent]);
      expect(fixture.holds.slice(1)).to.deep.equal(['released', { silent: 60, listed: 72 }]);
    });

    it('the hold ends when the game servers are back: none of them has expired', async () => {
      const { pinging, silent } = await beginHold();
      const all = [...pinging, ...silent];
      await fixture.passWhilePinging(ttlMs, pinging);
      await fixture.passWhilePinging(2 * ttlMs, all);
      expect(await fixture.listedIds()).to.have.members(all);
      expect(fixture.expired).to.deep.equal([]);
      expect(fixture.holds).to.deep.equal([{ silent: 48, listed: 60 }, 'released']);
    });

    it('entries that stay silent when most are back are listed for one TTL more', async () => {
      const { pinging, silent } = await beginHold();
      const away = silent.slice(0, 5);
      const back = [...pinging, ...silent.slice(5)];
      await fixture.pingAll(back);
      await fixture.clock.advance(sweepIntervalMs);
      expect(fixture.holds.at(-1)).to.equal('released');
      await fixture.passWhilePinging(ttlMs - pingIntervalMs, back);
      await fixture.clock.advance(pingIntervalMs - 1);
      expect(await fixture.listedIds()).to.have.members([...back, ...away]);
      await fixture.clock.advance(1);
      expect(await fixture.listedIds()).to.have.members(back);
      expect(fixture.expired).to.have.members(away);
    });

    it('the hold neither brings back expired entries nor hinders a remove', async () => {
      const gone = await fixture.broadcast();
      await fixture.clock.advance(2 * pingIntervalMs);
      const silent = await fixture.broadcastMany(60);
      await fixture.clock.advance(pingIntervalMs);
      expect(fixture.expired).to.deep.equal([gone]);
      await fixture.clock.advance(ttlMs);
      expect(fixture.holds).to.deep.equal([{ silent: 60, listed: 60 }]);
      expect(await fixture.remove(silent[7]!)).to.equal('removed');
      expect(await fixture.listedIds()).to.have.members(silent.toSpliced(7, 1));
      expect(await fixture.ping(silent[7]!)).to.equal('unknown');
    });

    it('a hold needs 50 listed entries', async () => {
      const silent = await fixture.broadcastMany(49);
      await fixture.clock.advance(ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.expired).to.have.members(silent);
      expect(fixture.holds).to.deep.equal([]);
      await fixture.broadcastMany(50);
      await fixture.clock.advance(ttlMs);
      expect(fixture.holds).to.deep.equal([{ silent: 50, listed: 50 }]);
    });

    it('a hold needs more than half of the listed entries to be silent', async () => {
      const silent = await fixture.broadcastMany(30);
      const pinging = await fixture.broadcastMany(30);
      await fixture.passWhilePinging(ttlMs, pinging);
      expect(await fixture.listedIds()).to.have.members(pinging);
      expect(fixture.expired).to.have.members(silent);
      expect(fixture.holds).to.deep.equal([]);
    });

    it('sixty silent entries of three addresses do not hold sixteen of others', async () => {
      const dead = await broadcastFrom('192.0.2', 16);
      const invented = await broadcastFrom('198.51.100', 3, 60);
      const pinging = await broadcastFrom('203.0.113', 40);
      await fixture.passWhilePinging(ttlMs, pinging);
      expect(await fixture.listedIds()).to.have.members(pinging);
      expect(fixture.expired).to.have.members([...dead, ...invented]);
      expect(fixture.holds).to.deep.equal([]);
    });

    it('sixty pinging entries of three addresses do not keep most others from being held', async () => {
      const silent = await broadcastFrom('192.0.2', 40);
      const pinging = [
        ...(await broadcastFrom('198.51.100', 3, 60)),
        ...(await broadcastFrom('203.0.113', 8)),
      ];
      await fixture.passWhilePinging(2 * ttlMs, pinging);
      expect(await fixture.listedIds()).to.have.members([...silent, ...pinging]);
      expect(fixture.holds).to.deep.equal([{ silent: 40, listed: 108 }]);
    });

    for (const addresses of [1, 250])
      it(`a fleet of 250 at ${addresses} of the addresses of a network is held when 80 % of it are silent`, async () => {
        const fleet = await broadcastFrom('192.0.2', addresses, 250);
        const pinging = fleet.filter((_, n) => n % 5 === 0);
        await fixture.passWhilePinging(2 * ttlMs, pinging);
        expect(await fixture.listedIds()).to.have.members(fleet);
        expect(fixture.holds).to.deep.equal([{ silent: 200, listed: 250 }]);
      });

    it('addresses whose entries have expired or gone have no vote', async () => {
      const gone = await broadcastFrom('198.51.100', 49);
      await fixture.clock.advance(ttlMs);
      expect(fixture.expired).to.have.members(gone);
      const silent = await broadcastFrom('192.0.2', 60);
      await fixture.clock.advance(2 * ttlMs);
      expect(await fixture.listedIds()).to.have.members(silent);
      expect(fixture.holds).to.deep.equal([{ silent: 60, listed: 60 }]);
    });

    it('a registry without the hold expires a silent majority', async () => {
      await fixture.reopen({ holdMassExpiry: false });
      await beginHold();
      expect(fixture.expired).to.have.lengthOf(48);
      expect(fixture.holds).to.deep.equal([]);
    });
  });
}
