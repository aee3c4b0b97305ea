/** The contract of quotas: how many entries there may be, in all and of one client. */

import { expect } from 'chai';
import { createGameServerId, type GameServer } from '../../../src/model/game-server.ts';
import type { IpAddress } from '../../../src/model/net/ip.ts';
import { NO_QUOTAS, type Quotas } from '../../../src/registry/registry-rules.ts';
import type { BroadcastOutcome } from '../../../src/registry/registry.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, reviveWindowMs } = lifetime;
const HOME = '192.0.2.1';

const tooMany = (of: 'all' | 'address', limit: number, count = limit): object => ({
  is: 'quota_exceeded',
  of,
  limit,
  count,
});

export function describeQuotas(fixture: RegistryFixture): void {
  const reopen = (quotas: Partial<Quotas>, uniqueAddress = false): Promise<void> =>
    fixture.reopen({ uniqueAddress, quotas: { ...NO_QUOTAS, ...quotas } });
  const broadcast = (
    address: IpAddress = HOME,
    id = createGameServerId(),
    overrides: Partial<GameServer> = {},
  ): Promise<BroadcastOutcome> =>
    fixture.registry.broadcast(id, aGameServer(overrides), { address, proof: 'none' });

  const rebroadcast = (address: IpAddress): Promise<unknown> =>
    fixture.registry.rebroadcast('id', aGameServer(), { address, proof: 'token' });

  describe('a quota for each address', () => {
    it('refuses one broadcast more than it allows, and tells how many there are', async () => {
      await reopen({ maxServersPerAddress: 2 });
      expect([await broadcast(), await broadcast(), await broadcast()]).to.deep.equal([
        'listed',
        'listed',
        tooMany('address', 2),
      ]);
      expect(await broadcast('192.0.2.2')).to.equal('listed');
      expect(await fixture.listedIds()).to.have.length(3);
    });

    it('holds for broadcasts that come together', async () => {
      await reopen({ maxServersPerAddress: 3 });
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => broadcast()));
      expect(outcomes.filter((outcome) => outcome === 'listed')).to.have.length(3);
    });

    it('is that of the /64 network for IPv6', async () => {
      await reopen({ maxServersPerAddress: 1 });
      expect(await broadcast('2001:db8::1')).to.equal('listed');
      expect(await broadcast('2001:db8::ffff:2')).to.deep.equal(tooMany('address', 1));
      expect(await broadcast('2001:db8:0:1::1')).to.equal('listed');
    });

    it('counts an expired entry until it cannot be revived any more', async () => {
      await reopen({ maxServersPerAddress: 1 });
      await broadcast(HOME, 'id');
      await fixture.clock.advance(ttlMs + reviveWindowMs / 2);
      expect(await broadcast()).to.deep.equal(tooMany('address', 1));
      expect(await fixture.ping('id')).to.equal('refreshed');
      await fixture.clock.advance(ttlMs + reviveWindowMs + lifetime.sweepIntervalMs);
      expect(await broadcast()).to.equal('listed');
    });

    it('does not count what cannot be revived any more, although an outage keeps entries from expiring', async () => {
      await reopen({ maxServersPerAddress: 1 });
      await broadcast(HOME, 'id');
      await fixture.clock.advance(ttlMs + lifetime.sweepIntervalMs);
      fixture.clock.jump(2 * reviveWindowMs);
      expect(await broadcast()).to.equal('listed');
    });

    it('follows a game server that moves', async () => {
      await reopen({ maxServersPerAddress: 1 });
      await broadcast(HOME, 'id');
      await fixture.registry.rebroadcast('id', aGameServer(), { address: '192.0.2.2', proof: 'token' });
      expect(await broadcast(HOME)).to.equal('listed');
      expect(await broadcast('192.0.2.2')).to.deep.equal(tooMany('address', 1));
    });

    it('lets no game server move to a client that has as many as it may', async () => {
      await reopen({ maxServersPerAddress: 1, isExempt: (address) => address === '192.0.2.3' });
      await broadcast(HOME, 'id');
      await broadcast('192.0.2.2');
      expect(await rebroadcast('192.0.2.2')).to.deep.equal(tooMany('address', 1));
      expect(await rebroadcast(HOME)).to.equal('refreshed');
      expect(await rebroadcast('192.0.2.3')).to.equal('refreshed');
    });

    it('does not count the entry whose address is taken over', async () => {
      await reopen({ maxServersPerAddress: 1 }, true);
      expect(await broadcast()).to.equal('listed');
      expect(await broadcast()).to.equal('listed');
      expect(await broadcast(HOME, undefined, { port: 2 })).to.deep.equal(tooMany('address', 1));
      expect(await fixture.listedIds()).to.have.length(1);
    });

    it('does not hold for clients that are exempt, but counts them', async () => {
      await reopen({ maxServersPerAddress: 1, maxServers: 3, isExempt: (address) => address === HOME });
      for (let i = 0; i < 4; i += 1) expect(await broadcast()).to.equal('listed');
      expect(await broadcast('192.0.2.2')).to.deep.equal(tooMany('all', 3, 4));
    });

    it('does not hold where no request is behind the write', async () => {
      await reopen({ maxServersPerAddress: 1 });
      for (const id of ['id', 'id2'])
        expect(await fixture.registry.broadcast(id, aGameServer())).to.equal('listed');
    });
  });

  describe('a quota of all', () => {
    it('refuses one broadcast more than it allows, of whatever client', async () => {
      await reopen({ maxServers: 2 });
      await broadcast('192.0.2.1');
      await broadcast('192.0.2.2', 'id');
      expect(await broadcast('192.0.2.3')).to.deep.equal(tooMany('all', 2));
      expect(await fixture.ping('id', { players: 9 })).to.equal('refreshed');
      await fixture.remove('id');
      expect(await broadcast('192.0.2.3')).to.equal('listed');
    });

    it('counts what can be revived, and lets it be', async () => {
      await reopen({ maxServers: 1 });
      await broadcast(HOME, 'id');
      await fixture.clock.advance(2 * ttlMs);
      expect(await broadcast()).to.deep.equal(tooMany('all', 1));
      expect(await fixture.ping('id')).to.equal('refreshed');
    });
  });
}
