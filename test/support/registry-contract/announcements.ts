/** The contract of what other protocols list: lifetimes of their own, links, native documents. */

import { expect } from 'chai';
import type { NativeState, NativeOutcome, EntryLifetime } from '../../../src/registry/native-entries.ts';
import { Details } from '../../../src/model/fields/details.ts';
import { REACHED, type GameServer, type ListedGameServer } from '../../../src/model/game-server.ts';
import type { IpAddress } from '../../../src/model/net/ip.ts';
import { NO_QUOTAS } from '../../../src/registry/registry-rules.ts';
import { aGameServer } from '../builders.ts';
import { lifetime, type RegistryFixture } from '../registry-fixture.ts';

const { ttlMs, sweepIntervalMs, maxSweepGapMs, longestHoldMs } = lifetime;
const SHORT: EntryLifetime = { ttlMs: 30_000, silentBelowMs: 10_000 };
const LONG: EntryLifetime = { ttlMs: 240_000, silentBelowMs: 80_000 };
const HOME = '192.0.2.1';
const ADDRESS = '203.0.113.7:7777';

interface Said {
  readonly lifetime?: EntryLifetime;
  readonly link?: string;
  readonly document?: string;
  readonly says?: Partial<GameServer>;
  readonly client?: IpAddress;
}

/** Its mode says by which links it is described. */
function announcementOf({ lifetime: own = LONG, link = 'a://1', document = 'd', says }: Said): NativeState {
  return {
    protocol: 'played',
    lifetime: own,
    link,
    describe: (links) => ({
      ...aGameServer(says),
      details: Details.of({ game: 'A game', mode: links.join(' '), kept: { serial: 1 } }),
    }),
    document,
  };
}

export function describeAnnouncements(fixture: RegistryFixture): void {
  const announce = (id: string, said: Said = {}): Promise<NativeOutcome> =>
    fixture.registry.nativeEntries.publish(id, announcementOf(said), { address: said.client ?? HOME });
  const withdraw = (id: string, link = 'a://1'): Promise<string> =>
    fixture.registry.nativeEntries.withdraw(id, link);

  async function entry(id: string): Promise<ListedGameServer | undefined> {
    await fixture.list();
    return fixture.registry.known(id);
  }

  async function documentOf(id: string): Promise<string | undefined> {
    const known = (await entry(id))!;
    return fixture.registry.nativeEntries.documentOf(known);
  }

  /** Lets time pass while these announce themselves. */
  async function passWhileAnnouncing(ms: number, ids: readonly string[], said: Said = {}): Promise<void> {
    const step = 2 * sweepIntervalMs;
    for (let passed = 0; passed < ms; passed += step) {
      await fixture.clock.advance(step);
      for (const id of ids) await announce(id, said);
    }
  }

  describe('what another protocol announces', () => {
    it('is an entry like any other, with what it says, claimed and reached', async () => {
      expect(await announce('x')).to.equal('listed');
      expect(await fixture.listedIds()).to.deep.equal(['x']);
      const { details, isClaimed, client, reachability } = (await entry('x'))!;
      expect({ isClaimed, client, reachability }).to.deep.equal({
        isClaimed: true,
        client: HOME,
        reachability: REACHED,
      });
      expect(details.fields).to.include({ protocol: 'played', game: 'A game' });
      expect(details.fields.kept).to.deep.equal({ serial: 1 });
      expect(details.members).to.equal(',"protocol":"played","game":"A game","mode":"a://1"');
      expect(fixture.told).to.deep.equal([`new x ${ADDRESS}`]);
    });

    it('changes visibly when it says something new, and not when it says the same', async () => {
      await announce('x');
      const { version, registeredVersion } = (await entry('x'))!;
      expect(await announce('x')).to.equal('refreshed');
      expect((await entry('x'))!.version).to.equal(version);
      expect(await announce('x', { says: { players: 9 } })).to.equal('refreshed');
      expect(await entry('x')).to.include({ players: 9, registeredVersion });
      expect((await entry('x'))!.version).to.be.above(version);
      expect(fixture.told).to.deep.equal([`new x ${ADDRESS}`]);
    });

    it('is described with all links that live, the oldest first, and loses one that lapses', async () => {
      await Promise.all([announce('x', { link: 'a://1' }), announce('x', { link: 'b://2' })]);
      expect((await entry('x'))!.details.fields.links).to.have.members(['a://1', 'b://2']);
      await announce('x', { link: 'a://1' });
      const { links, mode } = (await entry('x'))!.details.fields;
      expect(mode).to.equal(links!.join(' '));
      await passWhileAnnouncing(LONG.ttlMs, ['x'], { link: 'b://2' });
      expect((await entry('x'))!.details.fields).to.deep.include({ links: ['b://2'], mode: 'b://2' });
    });

    it('lives as long as its protocol says, whatever the TTL of others', async () => {
      await announce('short', { lifetime: SHORT });
      await announce('long', { lifetime: LONG });
      const native = await fixture.broadcast();
      await fixture.clock.advance(SHORT.ttlMs);
      expect(await fixture.listedIds()).to.have.members(['long', native]);
      await fixture.clock.advance(ttlMs - SHORT.ttlMs);
      expect(await fixture.listedIds()).to.deep.equal(['long']);
      await fixture.clock.advance(LONG.ttlMs - ttlMs - 1);
      expect(await fixture.listedIds()).to.deep.equal(['long']);
      await fixture.clock.advance(1);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(fixture.expired).to.have.members(['short', native, 'long']);
    });

    it('has its whole TTL after a gap in sweeping, like any other', async () => {
      await announce('x');
      fixture.clock.jump(2 * LONG.ttlMs);
      await fixture.clock.advance(LONG.ttlMs - sweepIntervalMs);
      expect(await fixture.listedIds()).to.deep.equal(['x']);
      await fixture.clock.advance(3 * sweepIntervalMs + maxSweepGapMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('lives for no more than its TTL when the clock goes back', async () => {
      await announce('x');
      fixture.clock.jump(-10 * LONG.ttlMs);
      await fixture.clock.advance(LONG.ttlMs + 2 * ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('leaves at once with its last link, and comes back under its id', async () => {
      await announce('x', { link: 'a://1' });
      await announce('x', { link: 'b://2' });
      expect(await withdraw('x', 'c://3')).to.equal('unknown');
      expect(await withdraw('x', 'a://1')).to.equal('withdrawn');
      expect(await fixture.listedIds()).to.deep.equal(['x']);
      expect(await withdraw('x', 'b://2')).to.equal('withdrawn');
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(await withdraw('x', 'b://2')).to.equal('unknown');
      expect(await announce('x')).to.equal('listed');
      expect(await fixture.listedIds()).to.deep.equal(['x']);
      expect(fixture.told).to.deep.equal([`new x ${ADDRESS}`, `removed x ${ADDRESS}`, `new x ${ADDRESS}`]);
    });

    it('comes back in its place after it expired', async () => {
      await announce('x', { lifetime: SHORT });
      const { registeredVersion } = (await entry('x'))!;
      await fixture.clock.advance(SHORT.ttlMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
      expect(await announce('x', { lifetime: SHORT })).to.equal('listed');
      expect(await entry('x')).to.include({ registeredVersion });
      expect(fixture.told.at(-1)).to.equal(`revived x ${ADDRESS}`);
    });

    it('comes back after a moderator took it off, and changes its client', async () => {
      await announce('x');
      await fixture.registry.evict('x');
      expect(await announce('x', { client: '192.0.2.9' })).to.equal('listed');
      expect(await announce('x', { client: '192.0.2.10' })).to.equal('refreshed');
      expect((await entry('x'))!.client).to.equal('192.0.2.10');
    });

    it('has a native document', async () => {
      await announce('x', { document: 'größe' });
      expect(await documentOf('x')).to.equal('größe');
      await announce('x', { document: 'small' });
      expect(await documentOf('x')).to.equal('small');
    });

    it('counts for quotas, and is never refused again once it is listed', async () => {
      await fixture.reopen({ quotas: { ...NO_QUOTAS, maxServersPerAddress: 1 } });
      expect(await announce('x')).to.equal('listed');
      expect(await announce('y')).to.deep.include({
        is: 'quota_exceeded',
        of: 'address',
        limit: 1,
        count: 1,
      });
      expect(await announce('x', { says: { players: 7 } })).to.equal('refreshed');
    });

    it('takes an address from nobody who has claimed it, where addresses are unique', async () => {
      await fixture.reopen({ uniqueAddress: true });
      await announce('x');
      expect(await announce('y')).to.deep.include({ is: 'address_taken' });
      const id = await fixture.broadcast({ port: 7778 });
      expect(await announce('y', { says: { port: 7778 } })).to.equal('listed');
      expect(await fixture.listedIds()).to.deep.equal(['x', 'y']);
      expect(fixture.told).to.include(`replaced ${id} 203.0.113.7:7778`);
    });

    it('is held back from expiry with the others of its lifetime alone', async () => {
      await fixture.reopen({ holdMassExpiry: true });
      const silent = Array.from({ length: 60 }, (_, n) => `silent-${n}`);
      for (const [n, id] of silent.entries()) await announce(id, { client: `198.51.100.${n}` });
      const other = await fixture.registry.nativeEntries
        .publish('other', announcementOf({ lifetime: SHORT }), { address: HOME })
        .then(() => 'other');
      await fixture.clock.advance(SHORT.ttlMs + sweepIntervalMs);
      expect(await fixture.listedIds()).to.not.include(other);
      await fixture.clock.advance(LONG.ttlMs + longestHoldMs - SHORT.ttlMs - 3 * sweepIntervalMs);
      expect(await fixture.listedIds()).to.have.length(60);
      expect(fixture.holds[0]).to.include({ silent: 60 });
      await fixture.clock.advance(4 * sweepIntervalMs);
      expect(await fixture.listedIds()).to.deep.equal([]);
    });

    it('expires with few others of its lifetime, however many of another are silent', async () => {
      await fixture.reopen({ holdMassExpiry: true });
      const living = Array.from({ length: 60 }, (_, n) => `living-${n}`);
      for (const [n, id] of living.entries()) await announce(id, { client: `198.51.100.${n}` });
      await fixture.clock.advance(SHORT.ttlMs);
      await announce('gone', { lifetime: SHORT, client: '192.0.2.77' });
      await fixture.clock.advance(SHORT.ttlMs);
      expect(await fixture.listedIds()).to.have.members(living);
    });
  });
}
