/** The contract of a broadcast that takes the place of another entry of its game server: one step, or none. */

import { expect } from 'chai';
import { createGameServerId, type GameServerId } from '../../../src/model/game-server.ts';
import { NO_QUOTAS } from '../../../src/registry/registry-rules.ts';
import type { BroadcastOutcome, Caller, Predecessor } from '../../../src/registry/registry.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const OWNER: Caller = { address: '203.0.113.7', proof: 'token' };
const OTHER: Caller = { address: '192.0.2.66', proof: 'token' };

export function describePredecessors(fixture: RegistryFixture): void {
  async function listUnlisted(): Promise<Predecessor & { readonly id: GameServerId }> {
    const id = createUnlistedId();
    expect(await fixture.registry.broadcast(id, aGameServer(), OWNER)).to.equal('listed');
    return { id, proof: 'token' };
  }
  const replace = (predecessor: Predecessor, id = createGameServerId()): Promise<BroadcastOutcome> =>
    fixture.registry.broadcast(id, aGameServer(), OWNER, predecessor);
  const allIds = async (): Promise<GameServerId[]> =>
    [...(await fixture.registry.entries())].map(({ id }) => id);

  describe('a broadcast in the place of another entry', () => {
    it('takes that one off for good, and tells of it', async () => {
      const former = await listUnlisted();
      expect(await replace(former, 'new')).to.equal('listed');
      expect(await allIds()).to.deep.equal(['new']);
      expect(await fixture.registry.rebroadcast(former.id, aGameServer(), OWNER)).to.equal('unknown');
      expect(fixture.told).to.include.members([
        `replaced ${former.id} 203.0.113.7:7777`,
        'new new 203.0.113.7:7777',
      ]);
    });

    it('takes off an expired one as well', async () => {
      const former = await listUnlisted();
      await fixture.clock.advance(lifetime.ttlMs + 1);
      expect(await replace(former)).to.equal('listed');
      expect(await fixture.ping(former.id)).to.equal('unknown');
    });

    it('needs no such entry, and may be repeated', async () => {
      const former = await listUnlisted();
      for (let n = 0; n < 2; n += 1) expect(await replace(former, 'new')).to.equal('listed');
      expect(await replace({ id: 'never', proof: 'wrong' })).to.equal('listed');
      expect(await allIds()).to.have.length(2);
    });

    it('takes that one off where its own entry is listed before', async () => {
      const former = await listUnlisted();
      await fixture.registry.broadcast('new', aGameServer(), { ...OWNER, proof: 'none' });
      expect(await replace(former, 'new')).to.equal('listed');
      expect(await allIds()).to.deep.equal(['new']);
    });

    it('leaves it where it is with a wrong token', async () => {
      const { id } = await listUnlisted();
      expect(await replace({ id, proof: 'wrong' })).to.equal('not_owner');
      expect(await allIds()).to.deep.equal([id]);
    });

    it('leaves it where it is if the new id is used up', async () => {
      const former = await listUnlisted();
      await fixture.registry.broadcast('new', aGameServer(), OWNER);
      await fixture.remove('new', undefined, OWNER);
      expect(await replace(former, 'new')).to.equal('unlisted');
      expect(await allIds()).to.deep.equal([former.id]);
    });

    it('leaves it where it is if its address is taken', async () => {
      await fixture.reopen({ uniqueAddress: true });
      const former = await listUnlisted();
      await fixture.registry.broadcast('rival', aGameServer(), OTHER);
      expect(await replace(former)).to.have.property('is', 'address_taken');
      expect(await allIds()).to.have.members([former.id, 'rival']);
    });

    it('has its place in the quotas, and leaves it where it is if they are exceeded all the same', async () => {
      await fixture.reopen({ quotas: { ...NO_QUOTAS, maxServers: 3, maxServersPerAddress: 1 } });
      const former = await listUnlisted();
      expect(await replace(former, 'new')).to.equal('listed');
      await fixture.registry.broadcast('other', aGameServer(), OTHER);
      const refused = await replace({ id: 'other', proof: 'token' });
      expect(refused).to.deep.equal({ is: 'quota_exceeded', of: 'address', limit: 1, count: 1 });
      expect(await allIds()).to.have.members(['new', 'other']);
    });
  });
}
