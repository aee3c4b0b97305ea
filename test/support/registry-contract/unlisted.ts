/** The contract of unlisted entries where addresses are unique: they take no part, so no answer tells of one. */

import { expect } from 'chai';
import { createGameServerId, type GameServerId } from '../../../src/model/game-server.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const OWNER: Caller = { address: '192.0.2.1', proof: 'token' };
const OTHER: Caller = { address: '192.0.2.2', proof: 'none' };

export function describeUnlisted(fixture: RegistryFixture): void {
  async function broadcastUnlisted(caller: Caller): Promise<GameServerId> {
    const id = createUnlistedId();
    expect(await fixture.registry.broadcast(id, aGameServer(), caller)).to.equal('listed');
    return id;
  }
  const allIds = async (): Promise<GameServerId[]> =>
    [...(await fixture.registry.entries())].map(({ id }) => id).toSorted();

  describe('an unlisted entry, where addresses are unique,', () => {
    beforeEach(() => fixture.reopen({ uniqueAddress: true }));

    it('neither keeps its address from others, nor gives way to them', async () => {
      const hidden = [await broadcastUnlisted(OWNER), await broadcastUnlisted(OTHER)];
      const id = await fixture.broadcast();
      expect(await allIds()).to.deep.equal([...hidden, id].toSorted());
    });

    it('takes its address from no other, and none keeps it from there', async () => {
      const claimed = createGameServerId();
      await fixture.registry.broadcast(claimed, aGameServer(), OWNER);
      const open = await fixture.broadcast({ port: 2 });
      const hidden = await broadcastUnlisted(OTHER);
      expect(await fixture.ping(hidden, { port: 2 })).to.equal('refreshed');
      expect(await allIds()).to.deep.equal([claimed, open, hidden].toSorted());
    });

    it('is revived at an address that another has taken since', async () => {
      const hidden = await broadcastUnlisted(OTHER);
      await fixture.clock.advance(lifetime.ttlMs + 1);
      const claimed = createGameServerId();
      await fixture.registry.broadcast(claimed, aGameServer(), OWNER);
      expect(await fixture.ping(hidden)).to.equal('refreshed');
      expect(await allIds()).to.deep.equal([claimed, hidden].toSorted());
    });

    it('leaves the address to the entry that has it', async () => {
      const id = await fixture.broadcast();
      const hidden = await broadcastUnlisted(OTHER);
      await fixture.remove(hidden);
      const next = await fixture.broadcast();
      expect(await allIds()).to.deep.equal([next]);
      expect(fixture.told.some((told) => told.startsWith(`replaced ${id}`))).to.equal(true);
    });
  });
}
