/** The contract of broadcast, ping, remove and list, but for what only time does. */

import { expect } from 'chai';
import { createGameServerId } from '../../../src/model/game-server.ts';
import { aGameServer, bodyOf, textOf } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, reviveWindowMs, pingIntervalMs } = lifetime;
const OTHER_IP = '198.51.100.1';

export function describeRequests(fixture: RegistryFixture): void {
  describe('broadcast', () => {
    it('a new registry lists nothing', async () => {
      const listing = await fixture.list();
      expect(await textOf(listing)).to.equal('{"servers":[],"count":0}');
      expect(listing.staleSince).to.equal(undefined);
    });

    it('a broadcast lists the game server with all its fields under its id', async () => {
      const id = await fixture.broadcast();
      expect(await textOf(await fixture.list())).to.equal(
        `{"servers":[{"id":"${id}","host":"game.example.com","name":"A server","port":7777,"ip":"203.0.113.7","players":3,"max_players":16}],"count":1}`,
      );
    });

    it('the list keeps the order of registration, whatever happens to the entries later', async () => {
      const ids: string[] = [];
      for (let i = 0; i < 100; i += 1) {
        ids.push(await fixture.broadcast({ port: 1000 + i }));
        if (i % 25 === 0) await fixture.clock.advance(1);
      }
      for (const i of [75, 3, 40]) await fixture.ping(ids[i]!, { port: 1000 + i, players: 9 });
      expect(await fixture.listedIds()).to.deep.equal(ids);
    });

    it('any text is listed as it was broadcast', async () => {
      const name = '"\\ \u{1F3AE} {gsls} \u00e9\u4e2d </script> $1 %s';
      await fixture.broadcast({ name, host: '::' });
      expect((await fixture.listed())[0]).to.include({ name, host: '::' });
    });
  });

  describe('a repeated broadcast', () => {
    it('of a listed entry gets listed and changes nothing, not even its deadline', async () => {
      const id = await fixture.broadcast();
      const before = await fixture.list();
      await fixture.clock.advance(ttlMs / 2);
      expect(await fixture.registry.broadcast(id, aGameServer({ players: 9 }))).to.equal('listed');
      const after = await fixture.list();
      expect(await textOf(after)).to.equal(await textOf(before));
      expect(after.snapshot.version).to.equal(before.snapshot.version);
      await fixture.clock.advance(ttlMs / 2);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('of an entry that a ping has changed gets listed, and the entry stays as the ping left it', async () => {
      const id = await fixture.broadcast();
      const next = await fixture.broadcast({ port: 2 });
      await fixture.ping(id, { name: 'renamed', port: 3 });
      expect(await fixture.registry.broadcast(id, aGameServer())).to.equal('listed');
      expect((await fixture.listed()).map((each) => [each.id, each.name, each.port])).to.deep.equal([
        [id, 'renamed', 3],
        [next, 'A server', 2],
      ]);
    });

    it('that comes together with the first gets listed, and the entry is listed once', async () => {
      const id = createGameServerId();
      const twice = [aGameServer(), aGameServer()].map((each) => fixture.registry.broadcast(id, each));
      expect(await Promise.all(twice)).to.deep.equal(['listed', 'listed']);
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('of an expired entry gets unlisted, until a ping has revived it', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs);
      expect(await fixture.registry.broadcast(id, aGameServer())).to.equal('unlisted');
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(await fixture.ping(id)).to.equal('refreshed');
      expect(await fixture.registry.broadcast(id, aGameServer())).to.equal('listed');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('of a removed entry gets unlisted, and its id stays unknown', async () => {
      const id = await fixture.broadcast();
      await fixture.remove(id);
      expect(await fixture.registry.broadcast(id, aGameServer())).to.equal('unlisted');
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(await fixture.ping(id)).to.equal('unknown');
    });

    it('of an entry whose revive window is over gets unlisted', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs + reviveWindowMs);
      expect(await fixture.registry.broadcast(id, aGameServer())).to.equal('unlisted');
      expect(await fixture.listedIds()).to.deep.equal([]);
    });
  });

  describe('with unique addresses', () => {
    beforeEach(() => fixture.reopen({ uniqueAddress: true }));

    it('a broadcast replaces the entry with the same host, IP and port', async () => {
      const old = await fixture.broadcast();
      const other = await fixture.broadcast({ port: 7778 });
      const restarted = await fixture.broadcast({ players: 0 });
      expect(await fixture.listedIds()).to.deep.equal([other, restarted]);
      expect(await fixture.ping(old)).to.equal('unknown');
    });

    it('a repeated broadcast of a replaced entry gets unlisted, and replaces nothing', async () => {
      const old = await fixture.broadcast();
      const restarted = await fixture.broadcast();
      expect(await fixture.registry.broadcast(old, aGameServer())).to.equal('unlisted');
      expect(await fixture.listedIds()).to.deep.equal([restarted]);
    });

    it('a ping that moves to the address of another entry replaces that one', async () => {
      const moved = await fixture.broadcast({ port: 1 });
      const holder = await fixture.broadcast({ port: 2 });
      expect(await fixture.ping(moved, { port: 2 })).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([moved]);
      expect(await fixture.ping(holder, { port: 2 })).to.equal('unknown');
      const next = await fixture.broadcast({ port: 1 });
      expect(await fixture.listedIds()).to.deep.equal([moved, next]);
    });

    it('a remove frees the address', async () => {
      const first = await fixture.broadcast();
      await fixture.remove(first);
      const second = await fixture.broadcast();
      expect(await fixture.listedIds()).to.deep.equal([second]);
    });

    it('a broadcast replaces the entry with the same address, however both spell it', async () => {
      const hosts = [
        'bücher.example',
        'xn--bcher-kva.example.',
        'BÜCHER.example:7777',
        'xn--bcher-kva.example',
      ];
      const ips = ['203.0.113.7', '64:ff9b::cb00:7107', '2002:cb00:7107::1'];
      for (const host of hosts)
        for (const ip of ips) {
          const id = await fixture.broadcast({ host, ip });
          expect((await fixture.listed())[0]).to.include({ id, host, ip });
          expect(await fixture.listedIds()).to.deep.equal([id]);
        }
      const elsewhere = await fixture.broadcast({ host: 'bücher.example', ip: '203.0.113.8' });
      expect(await fixture.listedIds())
        .to.include(elsewhere)
        .and.to.have.length(2);
    });

    it('an address is free again, however it was spelled, by a remove, an expiry and a move', async () => {
      const host = 'EU1.Example.com.';
      const first = await fixture.broadcast({ host });
      expect(await fixture.ping(first, { host: 'eu1.example.com' })).to.equal('refreshed');
      expect(await fixture.ping(first, { host: 'eu1.example.com:1' })).to.equal('refreshed');
      expect(await fixture.ping(first, { host: 'eu2.example.com' })).to.equal('refreshed');
      const second = await fixture.broadcast({ host });
      expect(await fixture.listedIds()).to.deep.equal([first, second]);
      await fixture.remove(second);
      const third = await fixture.broadcast({ host: 'eu1.example.com' });
      await fixture.clock.advance(ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
      const fourth = await fixture.broadcast({ host });
      expect(await fixture.ping(third, { host: 'eu1.example.com' })).to.equal('refreshed');
      expect(await fixture.listedIds()).to.deep.equal([third]);
      expect(await fixture.ping(fourth, { host })).to.equal('unknown');
    });
  });

  describe('ping', () => {
    it('a ping takes over everything the game server says of itself', async () => {
      const id = await fixture.broadcast();
      const now = aGameServer({ host: 'h2', name: 'n2', port: 2, players: 5, maxPlayers: 6 });
      expect(await fixture.registry.ping(id, now)).to.equal('refreshed');
      expect(await fixture.listed()).to.deep.equal([
        { id, host: 'h2', name: 'n2', port: 2, ip: now.ip, players: 5, max_players: 6 },
      ]);
    });

    it('a ping for an id that was never broadcast gets unknown', async () => {
      expect(await fixture.ping('unknown')).to.equal('unknown');
      expect(await fixture.ping('__proto__')).to.equal('unknown');
      expect(await fixture.listed()).to.deep.equal([]);
    });

    it('a ping from another IP gets ip_mismatch and changes nothing', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(ttlMs / 2);
      expect(await fixture.ping(id, { ip: OTHER_IP, players: 9 })).to.equal('ip_mismatch');
      expect((await fixture.listed())[0]).to.include({ ip: '203.0.113.7', players: 3 });
      await fixture.clock.advance(ttlMs / 2 + 1);
      expect(await fixture.listed()).to.deep.equal([]);
    });

    it('a ping that changes nothing visible gives the list no new version', async () => {
      const id = await fixture.broadcast();
      const { snapshot: before } = await fixture.list();
      await fixture.clock.advance(pingIntervalMs);
      await fixture.ping(id);
      const { snapshot: after } = await fixture.list();
      expect(after.version).to.equal(before.version);
    });

    it('a ping that changes something visible gives the list a higher version', async () => {
      const id = await fixture.broadcast();
      const { snapshot: before } = await fixture.list();
      await fixture.ping(id, { players: 4 });
      const { snapshot: after } = await fixture.list();
      expect(after.version).to.be.above(before.version);
      expect(after.epoch).to.equal(before.epoch);
    });
  });

  describe('remove', () => {
    it('a remove takes a game server off at once and for good', async () => {
      const id = await fixture.broadcast();
      const other = await fixture.broadcast();
      expect(await fixture.remove(id)).to.equal('removed');
      expect(await fixture.listedIds()).to.deep.equal([other]);
      expect(await fixture.ping(id)).to.equal('unknown');
      expect(await fixture.remove(id)).to.equal('unknown');
    });

    it('a remove from another IP gets ip_mismatch and changes nothing', async () => {
      const id = await fixture.broadcast();
      expect(await fixture.remove(id, OTHER_IP)).to.equal('ip_mismatch');
      expect(await fixture.listedIds()).to.deep.equal([id]);
    });

    it('a remove of an expired game server ends its revive window', async () => {
      const id = await fixture.broadcast();
      await fixture.clock.advance(2 * ttlMs);
      expect(await fixture.remove(id)).to.equal('removed');
      expect(await fixture.ping(id)).to.equal('unknown');
    });
  });

  describe('list', () => {
    it('a list contains everything acknowledged before it was asked for', async () => {
      for (let i = 0; i < 25; i += 1) {
        const id = await fixture.broadcast({ port: i + 1 });
        const [listing] = await Promise.all([fixture.list(), fixture.list()]);
        expect((await bodyOf(listing)).servers.at(-1)?.id).to.equal(id);
      }
    });
  });
}
