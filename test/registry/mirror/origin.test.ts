/** One origin of a mirror: what stays of its list when it is lost, away, or told wrongly. */

import { expect } from 'chai';
import { NO_DETAILS } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { VersionedList } from '../../../src/registry/memory/versioned-list.ts';
import { MOST_ENTRIES, Origin } from '../../../src/registry/mirror/origin.ts';
import { Union } from '../../../src/registry/mirror/union.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MINUTE_MS = 60_000;

class Fixture {
  readonly clock = new ManualClock();
  readonly told: string[] = [];
  readonly list = new VersionedList<ListedGameServer>({
    clock: this.clock,
  });
  readonly origin: Origin;

  constructor() {
    this.list.begin(undefined, 0);
    const { told } = this;
    this.origin = new Origin({
      name: 'eu',
      url: 'http://eu.test',
      union: () => union,
      clock: this.clock,
      maxStaleMs: 60 * MINUTE_MS,
      read: ({ id, host, name, port, ip, players, max_players: maxPlayers }) =>
        name === 'wrong'
          ? undefined
          : {
              id,
              host,
              name,
              port,
              ip,
              players,
              maxPlayers,
              details: NO_DETAILS,
              registeredVersion: 1000,
              origin: 'eu',
            },
      events: {
        onState: ({ state, problem = '' }) => void told.push(`${state} ${problem}`.trim()),
        onHeld: (_, missing, known) => void told.push(`held ${missing} of ${known}`),
        onHoldOver: (_, dropped) => void told.push(`dropped ${dropped}`),
        onUnreadable: (_, count) => void told.push(`unreadable ${count}`),
      },
    });
    const union = new Union([this.origin], this.list);
  }

  tell(
    ports: readonly number[],
    { full = true, removed = [] as string[], prefix = 'id' } = {},
  ): Promise<void> {
    const servers = ports.map((port) => aServer(`${prefix}${port}`, port));
    return this.origin.takeChanges({ full, servers, removed, tag: 'a.1' });
  }

  get ids(): string[] {
    return [...this.origin.entries.keys()].toSorted();
  }
}

function aServer(id: string, port: number, name = 'a'): ListedServer {
  return {
    id,
    host: 'h',
    name,
    port,
    ip: '203.0.113.7',
    players: 0,
    max_players: 8,
    registered_at: '2026-01-01T00:00:00.000Z',
  };
}

describe('an origin of a mirror', () => {
  it('holds what a list lacks that is told anew, if that is most of it, until it comes back', async () => {
    const fixture = new Fixture();
    await fixture.tell([1, 2, 3, 4]);
    await fixture.origin.takeContact({ is: 'live' });
    await fixture.tell([]);
    expect(fixture.ids).to.deep.equal(['id1', 'id2', 'id3', 'id4']);
    expect(fixture.origin.state).to.include({ state: 'held', staleSince: fixture.clock.now(), servers: 4 });
    expect(fixture.origin.isFresh).to.equal(false);
    await fixture.tell([1, 2, 3, 4], { full: false });
    expect(fixture.origin.state).to.include({ state: 'live', staleSince: undefined });
    expect(fixture.told).to.deep.equal(['live', 'held 4 of 4', 'held', 'live']);
  });

  it('shows no game server twice that comes back under another id while its entry is held', async () => {
    const fixture = new Fixture();
    await fixture.tell([1, 2, 3]);
    await fixture.origin.takeContact({ is: 'live' });
    await fixture.tell([], {});
    await fixture.tell([1], { full: false, prefix: 'new' });
    expect(fixture.ids).to.deep.equal(['id2', 'id3', 'new1']);
    await fixture.tell([], { full: false, removed: ['id2'] });
    expect(fixture.ids).to.deep.equal(['id3', 'new1']);
    expect(fixture.origin.state.state).to.equal('held');
  });

  it('lets go of what is held after five minutes', async () => {
    const fixture = new Fixture();
    await fixture.tell([1, 2, 3]);
    await fixture.origin.takeContact({ is: 'live' });
    await fixture.tell([1]);
    fixture.clock.jump(5 * MINUTE_MS - 1);
    expect(await fixture.origin.sweep()).to.equal(false);
    expect(fixture.ids).to.have.length(3);
    fixture.clock.jump(1);
    expect(await fixture.origin.sweep()).to.equal(false);
    expect(fixture.ids).to.deep.equal(['id1']);
    expect(fixture.told).to.deep.equal(['live', 'held 2 of 3', 'held', 'dropped 2', 'live']);
  });

  it('believes a list at once that lacks few, and a list that goes on from the one before', async () => {
    const fixture = new Fixture();
    await fixture.tell([1, 2, 3, 4]);
    await fixture.origin.takeContact({ is: 'live' });
    await fixture.tell([1, 2]);
    expect(fixture.ids).to.deep.equal(['id1', 'id2']);
    await fixture.tell([], { full: false, removed: ['id1', 'id2', 'unknown'] });
    expect(fixture.ids).to.deep.equal([]);
    expect(fixture.told).to.deep.equal(['live']);
  });

  it('gives up the list of an origin that is away for too long, and takes it anew', async () => {
    const fixture = new Fixture();
    await fixture.tell([1, 2]);
    await fixture.origin.takeContact({ is: 'away', since: fixture.clock.now(), problem: 'does not answer' });
    fixture.clock.jump(60 * MINUTE_MS);
    expect(await fixture.origin.sweep()).to.equal(false);
    fixture.clock.jump(1);
    expect(await fixture.origin.sweep()).to.equal(true);
    expect(await fixture.origin.sweep()).to.equal(false);
    expect(fixture.ids).to.deep.equal([]);
    expect(fixture.origin.state.state).to.equal('given_up');
    await fixture.tell([1]);
    await fixture.origin.takeContact({ is: 'live' });
    expect(fixture.ids).to.deep.equal(['id1']);
    expect(fixture.told).to.deep.equal(['away does not answer', 'given_up does not answer', 'live']);
  });

  it('leaves out what cannot be read, and an entry whose new state cannot', async () => {
    const fixture = new Fixture();
    await fixture.tell([1, 2]);
    await fixture.origin.takeChanges({
      full: false,
      servers: [aServer('id1', 1, 'wrong'), aServer('id3', 3, 'wrong')],
      removed: [],
      tag: 'a.1',
    });
    expect(fixture.ids).to.deep.equal(['id2']);
    expect(fixture.told).to.deep.equal(['unreadable 2']);
  });

  it('tells of what cannot be read once, and again when it is more', async () => {
    const fixture = new Fixture();
    const tell = (wrong: number): Promise<void> =>
      fixture.origin.takeChanges({
        full: true,
        servers: Array.from({ length: wrong }, (_, n) => aServer(`id${n}`, n, 'wrong')),
        removed: [],
        tag: 'a.1',
      });
    for (const wrong of [2, 2, 1, 1, 2, 0, 1]) await tell(wrong);
    expect(fixture.told).to.deep.equal(['unreadable 2', 'unreadable 2', 'unreadable 1']);
  });

  it('holds nothing any more once the last that it held cannot be read', async () => {
    const fixture = new Fixture();
    await fixture.tell([1]);
    await fixture.origin.takeContact({ is: 'live' });
    await fixture.tell([]);
    await fixture.origin.takeChanges({
      full: false,
      servers: [aServer('id1', 1, 'wrong')],
      removed: [],
      tag: 'a.1',
    });
    expect(fixture.ids).to.deep.equal([]);
    expect(fixture.origin.state.state).to.equal('live');
  });

  it('has the tag of a list once its entries are those of that list', async () => {
    const fixture = new Fixture();
    await fixture.tell([1]);
    const servers = [aServer('id2', 2)];
    const told = fixture.origin.takeChanges({ full: false, servers, removed: [], tag: 'a.2' });
    expect([fixture.origin.tag, fixture.ids]).to.deep.equal(['a.1', ['id1']]);
    await told;
    expect([fixture.origin.tag, fixture.ids]).to.deep.equal(['a.2', ['id1', 'id2']]);
  });

  it('takes no more entries than an origin may have', async () => {
    const fixture = new Fixture();
    for (let i = 0; i < MOST_ENTRIES; i += 1) fixture.origin.entries.set(`x${i}`, undefined!);
    await fixture.tell([1], { full: false });
    expect(fixture.origin.entries.size).to.equal(MOST_ENTRIES);
    expect(fixture.told).to.deep.equal(['unreadable 1']);
  });

  it('goes on as of when the list was kept', async () => {
    const fixture = new Fixture();
    const entry = {
      ...aServer('id1', 1),
      maxPlayers: 8,
      details: NO_DETAILS,
      registeredVersion: 1,
      origin: 'eu',
    };
    await fixture.origin.restore([entry], 5, 'a.1');
    // What is heard before the origin was reached tells nothing new of its list.
    for (const contact of [undefined, { is: 'away', since: undefined } as const]) {
      if (contact !== undefined) await fixture.origin.takeContact(contact);
      expect(fixture.origin.state).to.include({ state: 'away', staleSince: 5, servers: 1 });
    }
    expect(fixture.origin.hasTold).to.equal(true);
  });

  it('is as of the moment at which it was lost', async () => {
    const fixture = new Fixture();
    await fixture.tell([1]);
    await fixture.origin.takeContact({ is: 'live' });
    const lostAt = fixture.clock.now();
    await fixture.origin.takeContact({ is: 'away', since: undefined });
    fixture.clock.jump(1000);
    await fixture.origin.takeContact({ is: 'away', since: undefined });
    expect(fixture.origin.state).to.include({ state: 'away', staleSince: lostAt });
  });
});
