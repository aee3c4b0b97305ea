/** The contract of quotas: how many entries there may be, in all and of one client. */

import { expect } from 'chai';
import { createGameServerId, type GameServer } from '../../../src/model/game-server.ts';
import type { IpAddress } from '../../../src/model/net/ip.ts';
import type { EntryLifetime, NativeOutcome } from '../../../src/registry/native-entries.ts';
import { NO_QUOTAS, type Quotas } from '../../../src/registry/registry-rules.ts';
import type { BroadcastOutcome } from '../../../src/registry/registry.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture, type Rules } from '../registry-fixture.ts';

const { ttlMs, reviveWindowMs } = lifetime;
const HOME = '192.0.2.1';
const AWAY = '192.0.2.2';
/** A lifetime after which an entry expires before the others. */
const NATIVE: EntryLifetime = { ttlMs: 30_000, silentBelowMs: 10_000 };

const tooMany = (of: 'all' | 'address', limit: number, count = limit): object => ({
  is: 'quota_exceeded',
  of,
  limit,
  count,
});

const large = (kib: number): string => 'd'.repeat(kib * 1024);

export function describeQuotas(fixture: RegistryFixture): void {
  const reopen = (quotas: Partial<Quotas>, uniqueAddress = false): Promise<void> =>
    fixture.reopen({ uniqueAddress, quotas: { ...NO_QUOTAS, ...quotas } });
  const limit = (rules: Rules & { readonly uniqueAddress?: boolean } = {}): Promise<void> =>
    fixture.reopen({ maxDocumentBytesPerAddress: 4096, ...rules });
  const broadcast = (
    address: IpAddress = HOME,
    id = createGameServerId(),
    overrides: Partial<GameServer> = {},
  ): Promise<BroadcastOutcome> =>
    fixture.registry.broadcast(id, aGameServer(overrides), { address, proof: 'none' });

  const publish = (id: string, address: IpAddress = HOME, document = 'd'): Promise<NativeOutcome> =>
    fixture.registry.nativeEntries.publish(
      id,
      { protocol: 'played', lifetime: NATIVE, link: 'a://1', describe: () => aGameServer(), document },
      { address },
    );

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

  describe('a quota of the network that an entry comes to', () => {
    it('refuses an entry of another protocol that would move, live or expired, and leaves it where it was', async () => {
      await reopen({ maxServersPerAddress: 1, isExempt: (address) => address === '192.0.2.3' });
      expect([await publish('x'), await publish('y', AWAY)]).to.deep.equal(['listed', 'listed']);
      expect(await publish('x', AWAY)).to.deep.equal(tooMany('address', 1));
      expect(await publish('z')).to.deep.equal(tooMany('address', 1));
      await fixture.clock.advance(NATIVE.ttlMs + lifetime.sweepIntervalMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(await publish('x', AWAY)).to.deep.equal(tooMany('address', 1));
      expect(await publish('x', '192.0.2.3')).to.equal('listed');
      expect(await publish('z')).to.equal('listed');
    });

    it('asks anew for one that can be revived no more', async () => {
      await reopen({ maxServersPerAddress: 1, maxServers: 2 });
      await publish('x');
      await fixture.clock.advance(NATIVE.ttlMs + lifetime.sweepIntervalMs);
      fixture.clock.jump(2 * reviveWindowMs);
      await publish('y');
      expect(await publish('x')).to.deep.equal(tooMany('address', 1));
      await publish('z', AWAY);
      expect(await publish('x', '192.0.2.3')).to.deep.equal(tooMany('all', 2));
    });

    it('lets a ping name no client for which there is no room', async () => {
      await reopen({ maxServersPerAddress: 1 });
      await broadcast(HOME, 'id');
      await fixture.registry.broadcast('unknown', aGameServer());
      const ping = { address: HOME, proof: 'none' } as const;
      expect(await fixture.registry.ping('unknown', aGameServer({ players: 7 }), ping)).to.equal('refreshed');
      await fixture.remove('id');
      expect(await broadcast()).to.equal('listed');
    });
  });

  describe('a quota of documents', () => {
    const tooLarge = { is: 'too_many_bytes', limit: 4096 };

    it('counts each in whole KiB, and lets none grow beyond it', async () => {
      await limit();
      expect(await publish('x', HOME, large(2))).to.equal('listed');
      expect(await publish('y', HOME, 'ä')).to.equal('listed');
      expect(await publish('z', HOME, large(1) + 'd')).to.deep.equal(tooLarge);
      expect(await publish('z', AWAY, large(4))).to.equal('listed');
      expect(await publish('x', HOME, large(3))).to.equal('refreshed');
      expect(await publish('y', HOME, large(1) + 'd')).to.deep.equal(tooLarge);
      expect(await publish('y', HOME, large(1))).to.equal('refreshed');
    });

    it('has room for the largest documents, and for no more of them', async () => {
      await limit({ maxDocumentBytesPerAddress: 65_536 });
      expect(await publish('x', HOME, large(32))).to.equal('listed');
      expect(await publish('y', HOME, large(32))).to.equal('listed');
      expect(await publish('z', HOME, 'd')).to.include({ is: 'too_many_bytes' });
    });

    it('holds for those that come together', async () => {
      await limit();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => publish(`${n}`, HOME, large(1))),
      );
      expect(outcomes.filter((outcome) => outcome === 'listed')).to.have.length(4);
    });

    it('holds for one that comes from another network, and counts it there', async () => {
      await limit();
      await publish('x', HOME, large(4));
      await publish('y', AWAY, large(1));
      expect(await publish('x', AWAY, large(4))).to.deep.equal(tooLarge);
      expect(await publish('y', HOME, large(1))).to.deep.equal(tooLarge);
      expect(await publish('x', AWAY, large(3))).to.equal('refreshed');
      expect(await publish('z', HOME, large(4))).to.equal('listed');
    });

    it('has room again once a document has left the list', async () => {
      await limit({ quotas: { ...NO_QUOTAS, maxServersPerAddress: 3 } });
      await publish('x', HOME, large(4));
      await fixture.registry.evict('x');
      expect(await publish('y', HOME, large(4))).to.equal('listed');
      await fixture.registry.nativeEntries.withdraw('y', 'a://1');
      expect(await publish('z', HOME, large(4))).to.equal('listed');
      await fixture.clock.advance(NATIVE.ttlMs + lifetime.sweepIntervalMs);
      expect(await publish('y', HOME, large(3))).to.equal('listed');
      expect(await publish('z', HOME, large(1))).to.equal('listed');
    });

    it('does not count that of an entry whose address is taken', async () => {
      await limit({ verifySource: true, uniqueAddress: true });
      await publish('x', HOME, large(4));
      expect(await publish('y', HOME, large(4))).to.equal('listed');
      expect(await fixture.listedIds()).to.deep.equal(['y']);
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
