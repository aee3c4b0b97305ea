/** The contract of claims: which caller may change an entry, and what a game server that starts anew can do. */

import { expect } from 'chai';
import { createGameServerId, type GameServer } from '../../../src/model/game-server.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer, textOf } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, reviveWindowMs } = lifetime;
const NEW_IP = '198.51.100.1';
const READER: Caller = { address: '192.0.2.66', proof: 'none' };
const FORGER: Caller = { address: '192.0.2.66', proof: 'wrong' };
const OWNER: Caller = { address: '203.0.113.7', proof: 'token' };

export function describeOwnership(fixture: RegistryFixture): void {
  async function broadcastClaimed(overrides?: Partial<GameServer>): Promise<string> {
    const id = createGameServerId();
    expect(await fixture.registry.broadcast(id, aGameServer(overrides), OWNER)).to.equal('listed');
    return id;
  }
  const ping = (id: string, caller: Caller, overrides?: Partial<GameServer>): Promise<unknown> =>
    fixture.registry.ping(id, aGameServer(overrides), caller);
  const rebroadcast = (id: string, caller: Caller, overrides?: Partial<GameServer>): Promise<unknown> =>
    fixture.registry.rebroadcast(id, aGameServer(overrides), caller);
  const claims = async (): Promise<readonly boolean[]> =>
    [...(await fixture.registry.entries())].map(({ isClaimed }) => isClaimed);

  describe('an entry that is not claimed', () => {
    it('answers to every caller without a token', async () => {
      const id = await fixture.broadcast();
      expect(await ping(id, READER, { name: 'taken over' })).to.equal('refreshed');
      expect(await fixture.remove(id, aGameServer().ip, READER)).to.equal('removed');
    });

    it('answers to no wrong token', async () => {
      const id = await fixture.broadcast();
      expect(await ping(id, FORGER, { name: 'taken over' })).to.equal('not_owner');
      expect(await rebroadcast(id, FORGER, { name: 'taken over' })).to.equal('not_owner');
      expect(await fixture.remove(id, aGameServer().ip, FORGER)).to.equal('not_owner');
      expect((await fixture.listed())[0]).to.include({ name: 'A server' });
    });

    it('is claimed by the first ping with its token, which is a visible change', async () => {
      const id = await fixture.broadcast();
      const { version } = (await fixture.list()).snapshot;
      expect(await ping(id, OWNER)).to.equal('refreshed');
      expect((await fixture.list()).snapshot.version).to.be.above(version);
      expect(await claims()).to.deep.equal([true]);
      expect(await ping(id, READER)).to.equal('not_owner');
    });

    it('is claimed by its broadcast, repeated with the token, and stays as it is', async () => {
      const id = await fixture.broadcast();
      await fixture.ping(id, { players: 9 });
      expect(await fixture.registry.broadcast(id, aGameServer(), OWNER)).to.equal('listed');
      expect(await claims()).to.deep.equal([true]);
      expect((await fixture.listed())[0]).to.include({ id, players: 9 });
      expect(await ping(id, READER)).to.equal('not_owner');
    });
  });

  describe('a claimed entry', () => {
    it('answers to its token', async () => {
      const id = await broadcastClaimed();
      for (const overrides of [{}, { players: 9 }, { name: 'renamed' }, { port: 9 }])
        expect(await ping(id, OWNER, overrides)).to.equal('refreshed');
      expect((await fixture.listed())[0]).to.include({ id, port: 9 });
      expect(await fixture.remove(id, aGameServer().ip, OWNER)).to.equal('removed');
    });

    it('cannot be changed, kept alive or removed with what the list shows', async () => {
      const id = await broadcastClaimed();
      const before = await textOf(await fixture.list());
      for (const caller of [READER, FORGER]) {
        for (const overrides of [{}, { players: 9 }, { name: 'taken over' }, { port: 9 }])
          expect(await ping(id, caller, overrides)).to.equal('not_owner');
        expect(await rebroadcast(id, caller)).to.equal('not_owner');
        expect(await fixture.remove(id, aGameServer().ip, caller)).to.equal('not_owner');
      }
      expect(await fixture.registry.broadcast(id, aGameServer({ name: 'taken over' }), READER)).to.equal(
        'listed',
      );
      expect(await textOf(await fixture.list())).to.equal(before);
      await fixture.clock.advance(ttlMs - 1);
      expect(await ping(id, READER)).to.equal('not_owner');
      await fixture.clock.advance(2);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('stays claimed when it expires, and answers to its token alone to come back', async () => {
      const id = await broadcastClaimed();
      await fixture.clock.advance(2 * ttlMs);
      expect(await ping(id, READER)).to.equal('not_owner');
      expect(await ping(id, OWNER)).to.equal('refreshed');
      expect(await ping(id, READER)).to.equal('not_owner');
      expect(await claims()).to.deep.equal([true]);
    });

    it('needs the registered IP in a ping, with the token too', async () => {
      const id = await broadcastClaimed();
      expect(await ping(id, OWNER, { ip: NEW_IP })).to.equal('ip_mismatch');
      expect(await fixture.remove(id, NEW_IP, OWNER)).to.equal('ip_mismatch');
      expect(await ping(id, READER, { ip: NEW_IP })).to.equal('not_owner');
    });

    it('is unknown to every caller as soon as it is removed', async () => {
      const id = await broadcastClaimed();
      await fixture.list();
      expect(await fixture.remove(id, aGameServer().ip, OWNER)).to.equal('removed');
      expect(fixture.registry.known(id)).to.equal(undefined);
      for (const caller of [OWNER, READER, FORGER]) {
        expect(await ping(id, caller)).to.equal('unknown');
        expect(await rebroadcast(id, caller)).to.equal('unknown');
        expect(await fixture.remove(id, aGameServer().ip, caller)).to.equal('unknown');
      }
    });

    it('can be evicted without its token', async () => {
      const id = await broadcastClaimed();
      expect(await fixture.registry.evict(id)).to.equal('removed');
      expect(await ping(id, OWNER)).to.equal('unknown');
      expect(await fixture.registry.evict(id)).to.equal('unknown');
    });
  });

  describe('a game server that starts anew with its token', () => {
    it('keeps its id and its place, with another IP, port and name', async () => {
      const id = await broadcastClaimed();
      const next = await fixture.broadcast({ port: 2 });
      const moved = { ip: NEW_IP, port: 9, host: 'new.example.com', name: 'moved', players: 0 };
      expect(await rebroadcast(id, OWNER, moved)).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([id, next]);
      expect((await fixture.listed())[0]).to.include(moved);
      expect(await ping(id, OWNER, moved)).to.equal('refreshed');
      expect(await ping(id, OWNER)).to.equal('ip_mismatch');
    });

    it('comes back after it has expired, under its id', async () => {
      const id = await broadcastClaimed();
      await fixture.clock.advance(ttlMs + reviveWindowMs / 2);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(await rebroadcast(id, OWNER, { ip: NEW_IP })).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('claims an entry that was not claimed', async () => {
      const id = await fixture.broadcast();
      expect(await rebroadcast(id, OWNER)).to.equal('refreshed');
      expect(await ping(id, READER)).to.equal('not_owner');
    });

    it('gets one TTL', async () => {
      const id = await broadcastClaimed();
      await fixture.clock.advance(ttlMs / 2);
      await rebroadcast(id, OWNER, { ip: NEW_IP });
      await fixture.clock.advance(ttlMs - 1);
      expect(await fixture.listedIds()).to.deep.equal([id]);
      await fixture.clock.advance(2);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });
  });

  describe('a claimed entry with a unique address', () => {
    beforeEach(() => fixture.reopen({ uniqueAddress: true }));

    it('does not give way to a broadcast, and the refusal says for how long', async () => {
      const id = await broadcastClaimed();
      await fixture.clock.advance(ttlMs / 4);
      const taken = { is: 'address_taken', forMs: (3 * ttlMs) / 4 };
      for (const caller of [READER, OWNER])
        expect(await fixture.registry.broadcast('rival', aGameServer(), caller)).to.deep.equal(taken);
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('does not give way to a ping or a revival at its address either', async () => {
      const expired = await fixture.broadcast();
      await fixture.clock.advance(ttlMs + 1);
      const id = await broadcastClaimed();
      const other = await fixture.broadcast({ port: 2 });
      const taken = { is: 'address_taken', forMs: ttlMs };
      expect(await fixture.ping(expired)).to.deep.equal(taken);
      expect(await fixture.ping(other)).to.deep.equal(taken);
      expect(await rebroadcast(other, OWNER)).to.deep.equal(taken);
      expect((await fixture.listed()).map((each) => [each.id, each.port])).to.deep.equal([
        [id, 7777],
        [other, 2],
      ]);
    });

    it('frees its old address when it moves', async () => {
      const id = await broadcastClaimed();
      expect(await rebroadcast(id, OWNER, { ip: NEW_IP })).to.equal('refreshed');
      const second = await broadcastClaimed();
      expect(await fixture.listedIds()).to.deep.equal([id, second]);
    });

    it('gives way where an IP is known to be that of its sender', async () => {
      await fixture.reopen({ uniqueAddress: true, verifySource: true });
      await broadcastClaimed();
      const second = await fixture.broadcast();
      expect(await fixture.listedIds()).to.deep.equal([second]);
    });
  });
}
