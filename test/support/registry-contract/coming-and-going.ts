/**
 * The contract of what is told to operators of entries that are listed and that leave: once, why, and with the address.
 */

import { expect } from 'chai';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs } = lifetime;
const OWNER: Caller = { address: '203.0.113.7', proof: 'token' };
const ADDRESS = '203.0.113.7:7777';

export function describeComingAndGoing(fixture: RegistryFixture): void {
  describe('of the entries that come and go', () => {
    it('a new one is told once, however often its broadcast is repeated', async () => {
      const id = await fixture.broadcast();
      await fixture.registry.broadcast(id, aGameServer());
      await fixture.ping(id, { players: 9 });
      await fixture.registry.broadcast(id, aGameServer(), OWNER);
      expect(fixture.told).to.deep.equal([`new ${id} ${ADDRESS}`]);
    });

    it('one that is broadcast again with its token is told as such, listed or expired', async () => {
      const id = await fixture.broadcast();
      await fixture.registry.rebroadcast(id, aGameServer({ ip: '203.0.113.8' }), OWNER);
      await fixture.clock.advance(ttlMs);
      await fixture.list();
      await fixture.registry.rebroadcast(id, aGameServer(), OWNER);
      expect(fixture.told).to.deep.equal([
        `new ${id} ${ADDRESS}`,
        `again ${id} 203.0.113.8:7777`,
        `expired ${id} 203.0.113.8:7777`,
        `again ${id} ${ADDRESS}`,
      ]);
    });

    it('one that expired is told once, and again when a ping brings it back', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs);
      await fixture.list();
      await fixture.ping(id);
      await fixture.ping(id, { players: 9 });
      expect(fixture.told).to.deep.equal([
        `new ${id} ${ADDRESS}`,
        `expired ${id} ${ADDRESS}`,
        `revived ${id} ${ADDRESS}`,
      ]);
    });

    it('one that is removed or evicted is told once', async () => {
      const [removed, evicted] = [await fixture.broadcast(), await fixture.broadcast()];
      fixture.told.length = 0;
      for (let i = 0; i < 2; i += 1) await fixture.remove(removed);
      for (let i = 0; i < 2; i += 1) await fixture.registry.evict(evicted);
      expect(fixture.told).to.deep.equal([`removed ${removed} ${ADDRESS}`, `evicted ${evicted} ${ADDRESS}`]);
    });

    it('one that has to go for another at its address is told', async () => {
      await fixture.reopen({ uniqueAddress: true });
      const first = await fixture.broadcast();
      const second = await fixture.broadcast();
      await fixture.clock.advance(ttlMs);
      await fixture.list();
      const third = await fixture.broadcast();
      await fixture.ping(second);
      const fourth = await fixture.broadcast({ port: 2 });
      await fixture.ping(fourth);
      expect(fixture.told.toSorted()).to.deep.equal(
        [
          `new ${first} ${ADDRESS}`,
          `replaced ${first} ${ADDRESS}`,
          `new ${second} ${ADDRESS}`,
          `expired ${second} ${ADDRESS}`,
          `new ${third} ${ADDRESS}`,
          `replaced ${third} ${ADDRESS}`,
          `revived ${second} ${ADDRESS}`,
          `new ${fourth} 203.0.113.7:2`,
          `replaced ${second} ${ADDRESS}`,
        ].toSorted(),
      );
    });
  });
}
