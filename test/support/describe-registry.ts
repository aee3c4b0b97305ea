/** The contract of a Registry: the whole behaviour of the port, for any backend. */

import { expect } from 'chai';
import { createLifetime } from '../../src/registry/lifetime.ts';
import type { HeldExpiry, Registry, RegistryEvents } from '../../src/registry/registry.ts';
import { aGameServer, bodyOf, broadcastTo, textOf, type ListedBody } from './builders.ts';
import { ManualClock } from './manual-clock.ts';

export interface RegistryFixtureOptions {
  readonly clock: ManualClock;
  readonly uniqueAddress: boolean;
  readonly holdMassExpiry: boolean;
  readonly events: RegistryEvents;
}

/** Opens an empty registry with the test's lifetime. */
export type OpenRegistry = (options: RegistryFixtureOptions) => Promise<Registry>;

/** Sweeps seldom, because time passes sweep by sweep. */
export const lifetime = { ...createLifetime(60_000), sweepIntervalMs: 1000 };
const { ttlMs, reviveWindowMs, maxSweepGapMs, pingIntervalMs, sweepIntervalMs, longestHoldMs } = lifetime;

export function describeRegistry(backend: string, open: OpenRegistry): void {
  describe(`a registry in ${backend}`, () => {
    let clock: ManualClock;
    let registry: Registry;
    let expired: string[];
    let silences: (HeldExpiry | 'over')[];

    async function openRegistry({ uniqueAddress = false, holdMassExpiry = false } = {}): Promise<void> {
      await registry?.close();
      clock = new ManualClock();
      expired = [];
      silences = [];
      const events: RegistryEvents = {
        onExpired: (ids) => expired.push(...ids),
        onExpiryHeld: (silence) => silences.push(silence),
        onExpiryReleased: () => silences.push('over'),
      };
      registry = await open({ clock, uniqueAddress, holdMassExpiry, events });
    }

    async function listed(): Promise<readonly ListedBody[]> {
      return (await bodyOf(await registry.list())).servers;
    }

    async function listedIds(): Promise<readonly string[]> {
      return (await listed()).map(({ id }) => id);
    }

    async function broadcastMany(count: number): Promise<readonly string[]> {
      return Promise.all(Array.from({ length: count }, () => broadcastTo(registry, aGameServer())));
    }

    async function pingAll(ids: readonly string[]): Promise<void> {
      for (const id of ids) expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
    }

    /** Time passes, and these ping as they should: the last time at its end. */
    async function passWhilePinging(ms: number, ids: readonly string[]): Promise<void> {
      for (let passed = 0; passed < ms; passed += pingIntervalMs) {
        await clock.advance(pingIntervalMs);
        await pingAll(ids);
      }
    }

    /** 60 are listed, of whom 12 go on pinging and 48 have just been found silent. */
    async function beginSilence(): Promise<{ pinging: readonly string[]; silent: readonly string[] }> {
      const silent = await broadcastMany(48);
      const pinging = await broadcastMany(12);
      await passWhilePinging(ttlMs, pinging);
      return { pinging, silent };
    }

    beforeEach(() => openRegistry());
    after(() => registry.close());

    describe('broadcast', () => {
      it('lists nothing at first', async () => {
        const listing = await registry.list();
        expect(await textOf(listing)).to.equal('{"servers":[],"count":0}');
        expect(listing.staleSince).to.equal(undefined);
      });

      it('lists the game server with all its fields under the id it returns', async () => {
        const id = await broadcastTo(registry, aGameServer());
        expect(await textOf(await registry.list())).to.equal(
          `{"servers":[{"id":"${id}","host":"game.example.com","name":"A server","port":7777,"ip":"203.0.113.7","players":3,"max_players":16}],"count":1}`,
        );
      });

      it('gives ids of 128 random bits in URL-safe text', async () => {
        expect(await broadcastTo(registry, aGameServer())).to.match(/^[\w-]{22}$/);
      });

      it('lists the same game server twice when it is broadcast twice', async () => {
        const ids = [await broadcastTo(registry, aGameServer()), await broadcastTo(registry, aGameServer())];
        expect(ids[0]).to.not.equal(ids[1]);
        expect(await listedIds()).to.deep.equal(ids);
      });

      it('lists in order of registration, whatever happens to the entries later', async () => {
        const ids: string[] = [];
        for (let i = 0; i < 200; i += 1) {
          ids.push(await broadcastTo(registry, aGameServer({ port: 1000 + i })));
          if (i % 50 === 0) await clock.advance(1);
        }
        for (const i of [150, 3, 77])
          await registry.ping(ids[i]!, aGameServer({ port: 1000 + i, players: 9 }));
        expect(await listedIds()).to.deep.equal(ids);
      });

      it('keeps any text as it is', async () => {
        const name = '"\\ \u{1F3AE} {gsls} \u00e9\u4e2d </script> $1 %s';
        await broadcastTo(registry, aGameServer({ name, host: '::' }));
        expect((await listed())[0]).to.include({ name, host: '::' });
      });
    });

    describe('broadcast with unique addresses', () => {
      beforeEach(() => openRegistry({ uniqueAddress: true }));

      it('replaces the entry with the same host, IP and port', async () => {
        const old = await broadcastTo(registry, aGameServer());
        const other = await broadcastTo(registry, aGameServer({ port: 7778 }));
        const restarted = await broadcastTo(registry, aGameServer({ players: 0 }));
        expect(await listedIds()).to.deep.equal([other, restarted]);
        expect(await registry.ping(old, aGameServer())).to.equal('unknown');
      });

      it('lets a ping that moves to the address of another replace that one', async () => {
        const moved = await broadcastTo(registry, aGameServer({ port: 1 }));
        const holder = await broadcastTo(registry, aGameServer({ port: 2 }));
        expect(await registry.ping(moved, aGameServer({ port: 2 }))).to.equal('refreshed');
        expect(await listedIds()).to.deep.equal([moved]);
        expect(await registry.ping(holder, aGameServer({ port: 2 }))).to.equal('unknown');
        const next = await broadcastTo(registry, aGameServer({ port: 1 }));
        expect(await listedIds()).to.deep.equal([moved, next]);
      });

      it('leaves an address free when its holder was removed', async () => {
        const first = await broadcastTo(registry, aGameServer());
        await registry.remove(first, aGameServer().ip);
        const second = await broadcastTo(registry, aGameServer());
        expect(await listedIds()).to.deep.equal([second]);
      });
    });

    describe('ping', () => {
      it('takes over everything the game server says of itself', async () => {
        const id = await broadcastTo(registry, aGameServer());
        const now = aGameServer({ host: 'h2', name: 'n2', port: 2, players: 5, maxPlayers: 6 });
        expect(await registry.ping(id, now)).to.equal('refreshed');
        expect(await listed()).to.deep.equal([
          { id, host: 'h2', name: 'n2', port: 2, ip: now.ip, players: 5, max_players: 6 },
        ]);
      });

      it('can set the players to 0', async () => {
        const id = await broadcastTo(registry, aGameServer({ players: 5 }));
        await registry.ping(id, aGameServer({ players: 0, maxPlayers: 0 }));
        expect((await listed())[0]).to.include({ players: 0, max_players: 0 });
      });

      it('answers unknown for an id nobody has', async () => {
        expect(await registry.ping('nobody', aGameServer())).to.equal('unknown');
        expect(await registry.ping('__proto__', aGameServer())).to.equal('unknown');
        expect(await listed()).to.deep.equal([]);
      });

      it('refuses another IP and changes nothing', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(ttlMs / 2);
        expect(await registry.ping(id, aGameServer({ ip: '198.51.100.1', players: 9 }))).to.equal(
          'ip_mismatch',
        );
        expect((await listed())[0]).to.include({ ip: '203.0.113.7', players: 3 });
        await clock.advance(ttlMs / 2 + 1);
        expect(await listed()).to.deep.equal([]);
      });

      it('does not give the list a new version when nothing visible changes', async () => {
        const id = await broadcastTo(registry, aGameServer());
        const { snapshot: before } = await registry.list();
        await clock.advance(pingIntervalMs);
        await registry.ping(id, aGameServer());
        const { snapshot: after } = await registry.list();
        expect(after.version).to.equal(before.version);
      });

      it('gives the list a higher version when something does', async () => {
        const id = await broadcastTo(registry, aGameServer());
        const { snapshot: before } = await registry.list();
        await registry.ping(id, aGameServer({ players: 4 }));
        const { snapshot: after } = await registry.list();
        expect(after.version).to.be.above(before.version);
        expect(after.epoch).to.equal(before.epoch);
      });
    });

    describe('expiry', () => {
      it('lists a game server until its TTL is over, and not a moment longer', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(ttlMs - 1);
        expect(await listedIds()).to.deep.equal([id]);
        await clock.advance(1);
        expect(await listedIds()).to.deep.equal([]);
        expect(expired).to.deep.equal([id]);
      });

      it('lists a pinging game server for ever', async () => {
        const id = await broadcastTo(registry, aGameServer());
        for (let i = 0; i < 12; i += 1) {
          await clock.advance(pingIntervalMs);
          await registry.ping(id, aGameServer());
        }
        expect(await listedIds()).to.deep.equal([id]);
        expect(expired).to.deep.equal([]);
      });

      it('bears the loss of one ping', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(2 * pingIntervalMs);
        expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
        await clock.advance(2 * pingIntervalMs);
        expect(await listedIds()).to.deep.equal([id]);
      });

      it('removes the expired although nobody lists', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(2 * ttlMs);
        expect(expired).to.deep.equal([id]);
      });

      it('brings an expired game server back under its id, in its place, with its new data', async () => {
        const first = await broadcastTo(registry, aGameServer());
        const second = await broadcastTo(registry, aGameServer({ port: 2 }));
        for (let i = 0; i < 4; i += 1) {
          await clock.advance(pingIntervalMs);
          await registry.ping(second, aGameServer({ port: 2 }));
        }
        expect(await listedIds()).to.deep.equal([second]);
        expect(await registry.ping(first, aGameServer({ players: 8 }))).to.equal('refreshed');
        expect((await listed()).map(({ id, players }) => [id, players])).to.deep.equal([
          [first, 8],
          [second, 3],
        ]);
        await clock.advance(ttlMs - 1);
        expect(await listedIds()).to.include(first);
        await clock.advance(1);
        expect(await listedIds()).to.deep.equal([]);
      });

      it('revives for the whole revive window, and only for the right IP', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(ttlMs + reviveWindowMs - 1);
        expect(await registry.ping(id, aGameServer({ ip: '198.51.100.1' }))).to.equal('ip_mismatch');
        expect(await registry.ping(id, aGameServer())).to.equal('refreshed');
        expect(await listedIds()).to.deep.equal([id]);
      });

      it('has forgotten the game server after the revive window', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(ttlMs + reviveWindowMs);
        expect(await registry.ping(id, aGameServer({ ip: '198.51.100.1' }))).to.equal('unknown');
        expect(await registry.ping(id, aGameServer())).to.equal('unknown');
        expect(await registry.remove(id, aGameServer().ip)).to.equal('unknown');
        expect(await listedIds()).to.deep.equal([]);
      });

      it('expires each of thousands that fall due together, once', async function () {
        this.timeout(60_000);
        const ids = await Promise.all(
          Array.from({ length: 1100 }, () => broadcastTo(registry, aGameServer())),
        );
        await clock.advance(ttlMs);
        expect(await listedIds()).to.deep.equal([]);
        expect(expired.toSorted()).to.deep.equal(ids.toSorted());
      });
    });

    describe('the grace gate', () => {
      it('expires nobody for one TTL after a gap in sweeping, then who did not ping', async () => {
        const pinging = await broadcastTo(registry, aGameServer());
        const silent = await broadcastTo(registry, aGameServer());
        clock.jump(5 * ttlMs);
        expect(await listedIds()).to.deep.equal([pinging, silent]);
        expect(await registry.ping(pinging, aGameServer())).to.equal('refreshed');
        await clock.advance(ttlMs - 1);
        expect(await listedIds()).to.deep.equal([pinging, silent]);
        await registry.ping(pinging, aGameServer());
        await clock.advance(1);
        expect(await listedIds()).to.deep.equal([pinging]);
      });

      it('expires nobody whose pings met several short gaps, until a TTL after the last', async () => {
        const id = await broadcastTo(registry, aGameServer());
        for (let gaps = 0; gaps < 3; gaps += 1) {
          await clock.advance(ttlMs / 2);
          clock.jump(maxSweepGapMs + 1);
          expect(await listedIds()).to.deep.equal([id]);
        }
        await clock.advance(ttlMs - 1);
        expect(await listedIds()).to.deep.equal([id]);
        await clock.advance(1);
        expect(await listedIds()).to.deep.equal([]);
      });

      it('stays open over a gap in which hardly an attempt to ping fits', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(ttlMs - maxSweepGapMs / 2);
        clock.jump(maxSweepGapMs / 2);
        expect(await listedIds()).to.deep.equal([]);
        expect(expired).to.deep.equal([id]);
      });

      it('expires nobody wrongly when the clock goes back, and the silent still in time', async () => {
        const pinging = await broadcastTo(registry, aGameServer());
        const silent = await broadcastTo(registry, aGameServer());
        await clock.advance(1000);
        clock.jump(-3_600_000);
        expect(await listedIds()).to.deep.equal([pinging, silent]);
        await clock.advance(pingIntervalMs);
        expect(await registry.ping(pinging, aGameServer())).to.equal('refreshed');
        await clock.advance(ttlMs - pingIntervalMs);
        expect(await listedIds()).to.deep.equal([pinging]);
      });

      it('gives later changes higher versions though the clock went back', async () => {
        await broadcastTo(registry, aGameServer());
        const { snapshot: before } = await registry.list();
        clock.jump(-3_600_000);
        const later = await broadcastTo(registry, aGameServer());
        const { snapshot: after } = await registry.list();
        expect(after.version).to.be.above(before.version);
        expect((await listedIds())[1]).to.equal(later);
      });
    });

    describe('mass silence', () => {
      beforeEach(() => openRegistry({ holdMassExpiry: true }));

      it('is told once with its numbers, and nobody expires meanwhile', async () => {
        const { pinging, silent } = await beginSilence();
        await passWhilePinging(2 * ttlMs, pinging);
        expect(await listedIds()).to.have.members([...silent, ...pinging]);
        expect(expired).to.deep.equal([]);
        expect(silences).to.deep.equal([{ silent: 48, listed: 60 }]);
      });

      it('is over when it has lasted too long: the silent leave, all of them', async () => {
        const { pinging, silent } = await beginSilence();
        await passWhilePinging(longestHoldMs - pingIntervalMs, pinging);
        await clock.advance(pingIntervalMs - sweepIntervalMs);
        expect(await listedIds()).to.have.lengthOf(60);
        await clock.advance(sweepIntervalMs);
        expect(await listedIds()).to.have.members(pinging);
        expect(expired).to.have.members(silent);
        await passWhilePinging(ttlMs, pinging);
        expect(silences).to.deep.equal([{ silent: 48, listed: 60 }, 'over']);
      });

      it('is noticed again after one that lasted too long', async () => {
        const { pinging } = await beginSilence();
        await passWhilePinging(longestHoldMs, pinging);
        const silent = await broadcastMany(60);
        await passWhilePinging(2 * ttlMs, pinging);
        expect(await listedIds()).to.have.members([...pinging, ...silent]);
        expect(silences.slice(1)).to.deep.equal(['over', { silent: 60, listed: 72 }]);
      });

      it('is over when the game servers are back: none of them has left', async () => {
        const { pinging, silent } = await beginSilence();
        const all = [...pinging, ...silent];
        await passWhilePinging(ttlMs, pinging);
        await passWhilePinging(2 * ttlMs, all);
        expect(await listedIds()).to.have.members(all);
        expect(expired).to.deep.equal([]);
        expect(silences).to.deep.equal([{ silent: 48, listed: 60 }, 'over']);
      });

      it('leaves those who stay away when the others are back one more TTL', async () => {
        const { pinging, silent } = await beginSilence();
        const away = silent.slice(0, 5);
        const back = [...pinging, ...silent.slice(5)];
        await pingAll(back);
        await clock.advance(sweepIntervalMs);
        expect(silences.at(-1)).to.equal('over');
        await passWhilePinging(ttlMs - pingIntervalMs, back);
        await clock.advance(pingIntervalMs - 1);
        expect(await listedIds()).to.have.members([...back, ...away]);
        await clock.advance(1);
        expect(await listedIds()).to.have.members(back);
        expect(expired).to.have.members(away);
      });

      it('lets who pings live on, when the silent leave at last', async () => {
        const { pinging, silent } = await beginSilence();
        const living = [...pinging, silent[0]!, silent[47]!];
        await passWhilePinging(longestHoldMs, living);
        expect(await listedIds()).to.have.members(living);
      });

      it('neither brings back the expired nor hinders a remove', async () => {
        const gone = await broadcastTo(registry, aGameServer());
        await clock.advance(2 * pingIntervalMs);
        const silent = await broadcastMany(60);
        await clock.advance(pingIntervalMs);
        expect(expired).to.deep.equal([gone]);
        await clock.advance(ttlMs);
        expect(silences).to.deep.equal([{ silent: 60, listed: 60 }]);
        expect(await registry.remove(silent[7]!, aGameServer().ip)).to.equal('removed');
        expect(await listedIds()).to.have.members(silent.toSpliced(7, 1));
        expect(await registry.ping(silent[7]!, aGameServer())).to.equal('unknown');
      });

      it('needs 50 who are listed', async () => {
        const silent = await broadcastMany(49);
        await clock.advance(ttlMs);
        expect(await listedIds()).to.deep.equal([]);
        expect(expired).to.have.members(silent);
        expect(silences).to.deep.equal([]);
        await broadcastMany(50);
        await clock.advance(ttlMs);
        expect(silences).to.deep.equal([{ silent: 50, listed: 50 }]);
      });

      it('needs more than half of them', async () => {
        const silent = await broadcastMany(30);
        const pinging = await broadcastMany(30);
        await passWhilePinging(ttlMs, pinging);
        expect(await listedIds()).to.have.members(pinging);
        expect(expired).to.have.members(silent);
        expect(silences).to.deep.equal([]);
      });

      it('is nothing to a registry that was told to expire it', async () => {
        await openRegistry({ holdMassExpiry: false });
        await beginSilence();
        expect(expired).to.have.lengthOf(48);
        expect(silences).to.deep.equal([]);
      });
    });

    describe('remove', () => {
      it('takes a game server off at once and for good', async () => {
        const id = await broadcastTo(registry, aGameServer());
        const other = await broadcastTo(registry, aGameServer());
        expect(await registry.remove(id, aGameServer().ip)).to.equal('removed');
        expect(await listedIds()).to.deep.equal([other]);
        expect(await registry.ping(id, aGameServer())).to.equal('unknown');
        expect(await registry.remove(id, aGameServer().ip)).to.equal('unknown');
      });

      it('refuses another IP', async () => {
        const id = await broadcastTo(registry, aGameServer());
        expect(await registry.remove(id, '198.51.100.1')).to.equal('ip_mismatch');
        expect(await listedIds()).to.deep.equal([id]);
      });

      it('lets an expired game server not be revived', async () => {
        const id = await broadcastTo(registry, aGameServer());
        await clock.advance(2 * ttlMs);
        expect(await registry.remove(id, aGameServer().ip)).to.equal('removed');
        expect(await registry.ping(id, aGameServer())).to.equal('unknown');
      });
    });

    describe('list', () => {
      it('contains everything acknowledged before it was asked for', async function () {
        this.timeout(60_000);
        for (let i = 0; i < 100; i += 1) {
          const id = await broadcastTo(registry, aGameServer({ port: i + 1 }));
          const [listing] = await Promise.all([registry.list(), registry.list()]);
          expect((await bodyOf(listing)).servers.at(-1)?.id).to.equal(id);
        }
      });

      it('gives snapshots that later changes leave alone', async () => {
        await broadcastTo(registry, aGameServer());
        const listing = await registry.list();
        await broadcastTo(registry, aGameServer());
        await registry.list();
        expect(await bodyOf(listing)).to.have.property('count', 1);
        expect(listing.snapshot.count).to.equal(1);
      });
    });
  });
}
