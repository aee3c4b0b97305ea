/** The contract of parked entries: off the list at once, and their token alone brings them back under their id. */

import { expect } from 'chai';
import { finish } from '../../../src/api/work/work.ts';
import { createGameServerId, type GameServer } from '../../../src/model/game-server.ts';
import { NO_QUOTAS } from '../../../src/registry/registry-rules.ts';
import type { Caller, Prover } from '../../../src/registry/registry.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { aBan } from '../a-ban.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, reviveWindowMs, keepIdMs, sweepIntervalMs } = lifetime;
const { ip } = aGameServer();
const NEW_IP = '198.51.100.1';
const READER: Caller = { address: '192.0.2.66', proof: 'none' };
const FORGER: Caller = { address: '192.0.2.66', proof: 'wrong' };
const OWNER: Caller = { address: '203.0.113.7', proof: 'token' };

export function describeParking(fixture: RegistryFixture): void {
  const broadcast = (id: string, caller = OWNER, overrides?: Partial<GameServer>): Promise<unknown> =>
    fixture.registry.broadcast(id, aGameServer(overrides), caller);
  const ping = (id: string, caller: Caller = OWNER): Promise<unknown> =>
    fixture.registry.ping(id, aGameServer({ players: 9 }), caller);
  const rebroadcast = (id: string, caller = OWNER, overrides?: Partial<GameServer>): Promise<unknown> =>
    fixture.registry.rebroadcast(id, aGameServer(overrides), caller);
  const park = (id: string, proof: Prover['proof'] = 'token', from = ip): Promise<unknown> =>
    fixture.registry.park(id, from, { proof });
  const fateOf = async (id: string): Promise<string> => (await fixture.registry.fates.of(id)).is;

  async function parked(): Promise<string> {
    const id = createGameServerId();
    expect(await broadcast(id)).to.equal('listed');
    expect(await park(id)).to.equal('removed');
    return id;
  }

  describe('a parked entry', () => {
    it('is off the list at once, and told as gone', async () => {
      const id = await fixture.broadcast();
      const before = (await fixture.list()).snapshot;
      expect(await park(id)).to.equal('removed');
      const { snapshot } = await fixture.list();
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.registry.known(id)).to.equal(undefined);
      expect(snapshot.version).to.be.above(before.version);
      expect(finish(snapshot.changesSince(before))?.gone).to.deep.equal(new Set([id]));
    });

    it('comes back under its id and in its place by a broadcast with its token, with what that says', async () => {
      const id = await fixture.broadcast();
      const next = await fixture.broadcast({ port: 2 });
      await park(id);
      await fixture.list();
      const moved = { ip: NEW_IP, port: 9, name: 'moved', players: 0 };
      expect(await rebroadcast(id, OWNER, moved)).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([id, next]);
      expect((await fixture.listed())[0]).to.include(moved);
      await fixture.clock.advance(ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('is told as gone each time that it leaves, to clients of every age', async () => {
      const id = await fixture.broadcast();
      const seen: Snapshot[] = [];
      for (let i = 0; i < 3; i += 1) {
        seen.push((await fixture.list()).snapshot);
        await park(id);
        const { snapshot } = await fixture.list();
        for (const [age, each] of seen.entries())
          expect(finish(snapshot.changesSince(each))?.gone, `list ${age}`).to.deep.equal(new Set([id]));
        await rebroadcast(id);
      }
    });

    it('is unknown to every ping, one that was under way too', async () => {
      const id = await fixture.broadcast();
      await fixture.list();
      const [outcome, late] = await Promise.all([park(id), ping(id)]);
      expect(outcome).to.equal('removed');
      expect(late).to.be.oneOf(['unknown', 'refreshed']);
      for (const caller of [OWNER, READER, FORGER]) expect(await ping(id, caller)).to.equal('unknown');
      await fixture.clock.advance(ttlMs);
      expect(await ping(id)).to.equal('unknown');
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('does not come back by a repetition of its broadcast', async () => {
      const id = await parked();
      for (const caller of [OWNER, READER]) expect(await broadcast(id, caller)).to.equal('unlisted');
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('needs the token of an entry, and its IP', async () => {
      const id = await fixture.broadcast();
      expect(await park(id, 'wrong')).to.equal('not_owner');
      expect(await park(id, 'token', NEW_IP)).to.equal('ip_mismatch');
      expect(await park('never listed')).to.equal('unknown');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('is claimed by the token that parked it', async () => {
      const id = await fixture.broadcast();
      await park(id);
      expect(await fixture.remove(id, ip, READER)).to.equal('not_owner');
      expect(await rebroadcast(id, FORGER)).to.equal('not_owner');
      await rebroadcast(id);
      expect(await ping(id, READER)).to.equal('not_owner');
    });

    it('is parked once, however often its game server asks, and stays for as long as at first', async () => {
      const id = await parked();
      fixture.told.length = 0;
      await fixture.clock.advance(ttlMs);
      expect(await park(id)).to.equal('removed');
      expect(fixture.told).to.deep.equal([]);
      fixture.clock.jump(keepIdMs - ttlMs);
      await fixture.list();
      expect(await rebroadcast(id)).to.equal('unknown');
    });

    it('can be one that had expired', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs + sweepIntervalMs);
      expect(await park(id)).to.equal('removed');
      expect(await ping(id)).to.equal('unknown');
      await fixture.clock.advance(2 * reviveWindowMs);
      expect(await rebroadcast(id)).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('can come back for as long as ids are kept, and not a moment longer', async () => {
      const [early, late] = [await parked(), await parked()];
      fixture.clock.jump(keepIdMs - 1);
      expect(await fateOf(late)).to.equal('expired');
      expect(await rebroadcast(early)).to.equal('refreshed');
      fixture.clock.jump(1);
      expect(await fixture.remove(late, ip, OWNER)).to.equal('unknown');
      expect(await rebroadcast(late)).to.equal('unknown');
      expect(await fixture.listedIds()).to.deep.equal([early]);
      expect(await broadcast(late)).to.equal('unlisted');
    });

    it('says until when it is kept', async () => {
      const id = await parked();
      const fate = await fixture.registry.fates.of(id);
      expect(fate).to.deep.include({ is: 'expired' });
      const { parkedUntil, port } = (fate as Extract<typeof fate, { is: 'expired' }>).entry;
      expect([parkedUntil, port]).to.deep.equal([fixture.clock.now() + keepIdMs, 7777]);
    });

    it('is gone for good once it is removed or evicted', async () => {
      const [removed, evicted] = [await parked(), await parked()];
      expect(await fixture.remove(removed, NEW_IP, OWNER)).to.equal('ip_mismatch');
      expect(await fixture.remove(removed, ip, OWNER)).to.equal('removed');
      expect(await fixture.registry.evict(evicted)).to.equal('removed');
      for (const id of [removed, evicted]) {
        expect(await fateOf(id)).to.equal('removed');
        expect(await rebroadcast(id)).to.equal('unknown');
        expect(await park(id)).to.equal('unknown');
      }
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('that a broadcast replaces is gone for good', async () => {
      const id = await parked();
      const next = createGameServerId();
      const predecessor = { id, proof: 'token' } as const;
      expect(await fixture.registry.broadcast(next, aGameServer(), OWNER, predecessor)).to.equal('listed');
      expect(await rebroadcast(id)).to.equal('unknown');
      expect(await fixture.listedIds()).to.deep.equal([next]);
    });

    it('is told once as parked, and as broadcast again', async () => {
      const id = await parked();
      await rebroadcast(id);
      const address = `${ip}:7777`;
      expect(fixture.told).to.deep.equal([
        `new ${id} ${address}`,
        `parked ${id} ${address}`,
        `again ${id} ${address}`,
      ]);
    });

    it('that is banned comes back unseen', async () => {
      const id = await parked();
      await fixture.registry.moderation.decide((decided) => ({ ...decided, bans: [aBan({ address: ip })] }));
      expect(await rebroadcast(id)).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('keeps no address from others, where addresses are unique', async () => {
      await fixture.reopen({ uniqueAddress: true });
      const id = await parked();
      const rival = createGameServerId();
      expect(await broadcast(rival)).to.equal('listed');
      expect(await rebroadcast(id)).to.deep.equal({ is: 'address_taken', forMs: ttlMs });
      await park(rival);
      expect(await rebroadcast(id)).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('counts in quotas until it is removed, and comes back without meeting any', async () => {
      await fixture.reopen({ quotas: { ...NO_QUOTAS, maxServersPerAddress: 1 } });
      const id = await parked();
      const tooMany = { is: 'quota_exceeded', of: 'address', limit: 1, count: 1 };
      await fixture.clock.advance(2 * reviveWindowMs);
      expect(await broadcast('other')).to.deep.equal(tooMany);
      expect(await rebroadcast(id)).to.equal('refreshed');
      await park(id);
      await fixture.remove(id, ip, OWNER);
      expect(await broadcast('other')).to.equal('listed');
      await park('other');
      fixture.clock.jump(keepIdMs);
      expect(await broadcast('third')).to.equal('listed');
    });

    it('counts in the quota of all', async () => {
      await fixture.reopen({ quotas: { ...NO_QUOTAS, maxServers: 1 } });
      const id = await parked();
      expect(await broadcast('other')).to.deep.include({ is: 'quota_exceeded', of: 'all', count: 1 });
      await fixture.remove(id, ip, OWNER);
      expect(await broadcast('other')).to.equal('listed');
    });
  });
}
