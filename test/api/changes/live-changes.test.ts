/** What the clients of streams are told, tick by tick, without sockets. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { Turns } from '../../../src/api/work/turns.ts';
import { LiveChanges, type StreamClient } from '../../../src/api/changes/live-changes.ts';
import { parseChangesQuery } from '../../../src/api/changes/wanted-list.ts';
import type { Outbox, Sendable } from '../../../src/api/changes/stream-outbox.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import type { Listing } from '../../../src/registry/registry.ts';
import type { ListPosition } from '../../../src/registry/snapshot/snapshot.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../../support/builders.ts';
import { EventParser } from '../../support/event-parser.ts';
import type { ToldChanges } from '../../support/follow-changes.ts';

class FakeOutbox {
  readonly isGzip = false;
  waitingBytes = 0;
  readonly told: ToldChanges[] = [];
  /** The data of each event that says whether the list is current. */
  readonly states: string[] = [];
  readonly parser = new EventParser(({ type, data }) => {
    if (type === 'state') this.states.push(data);
    else this.told.push(JSON.parse(data) as ToldChanges);
  });

  add({ rope }: Sendable): void {
    this.parser.push(rope.toString());
  }
}

/** Of the servers that each event told. */
function idsIn({ told }: FakeOutbox): string[][] {
  return told.map(({ servers }) => servers.map(({ id }) => id));
}

function metaIn({ told }: FakeOutbox): readonly unknown[] {
  return told.flatMap(({ servers }) => servers.map(({ meta }) => meta));
}

describe('the live feed', () => {
  let builder: SnapshotBuilder<ListedGameServer>;
  let version: number;
  let listing: Listing;
  let asked: number;
  let turns: Turns;
  let feed: LiveChanges;
  let errors: unknown[];
  beforeEach(() => {
    builder = new SnapshotBuilder();
    version = 100;
    asked = 0;
    errors = [];
    change('first');
    turns = new Turns();
    feed = new LiveChanges({
      turns,
      registry: {
        async list() {
          asked += 1;
          return listing;
        },
      },
      now: () => 0,
      onEvents: () => undefined,
      onLagging: () => expect.fail('a client lags'),
      onError: (error) => errors.push(error),
    });
  });

  /** An entry changes, and the next tick sees it. */
  function change(id: string, meta?: Readonly<Record<string, number>>): void {
    version += 1;
    const details = meta === undefined ? {} : { details: Details.of({ meta }) };
    builder.set(anEntry({ id, registeredVersion: version, version, ...details }));
    listing = {
      snapshot: builder.build({ epoch: 'e', history: 'h', version }),
      staleSince: undefined,
    };
  }

  async function add(
    position?: ListPosition,
    query = '',
    outbox = new FakeOutbox(),
    asker: StreamClient['asker'] = { client: { address: '203.0.113.1' } },
  ): Promise<FakeOutbox> {
    const client: StreamClient = {
      asker,
      wanted: parseChangesQuery(query).wanted,
      outbox: outbox as unknown as Outbox,
      position,
      isAwaitingText: false,
      isToldStale: false,
      toldAt: 0,
    };
    feed.add(client, listing);
    while (client.isAwaitingText) await nextTurn();
    return outbox;
  }

  afterEach(() => expect(errors).to.deep.equal([]));

  async function tick(): Promise<void> {
    await feed.tick();
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  }

  it('asks the registry once a tick, however many clients there are', async () => {
    for (const query of ['', 'name=A*', 'players=1..', '']) await add(undefined, query);
    for (let n = 0; n < 3; n += 1) {
      change(`entry ${n}`);
      await tick();
    }
    expect(asked).to.equal(3);
  });

  it('reports a text that fails, but none of a client that is gone', async () => {
    for (const isGone of [true, false]) {
      const outbox = new FakeOutbox();
      const failure = new Error('full');
      outbox.add = () => {
        throw failure;
      };
      const asker = { client: { address: '203.0.113.1' }, isGone: () => isGone };
      void add(undefined, '', outbox, asker);
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      expect(errors.splice(0)).to.deep.equal(isGone ? [] : [failure]);
    }
  });

  it('tells each client the keys of meta that it wants', async () => {
    const all = [];
    for (const include of ['', 'include=meta.a', 'include=meta.b,meta.a', 'include=meta.a&players=3'])
      all.push(await add(undefined, include));
    change('second', { a: 1, b: 2, c: 3 });
    await tick();
    await tick();
    change('third', { b: 4 });
    await tick();
    expect(all.map(metaIn)).to.deep.equal([
      [undefined, undefined, undefined],
      [undefined, { a: 1 }, undefined],
      [undefined, { a: 1, b: 2 }, { b: 4 }],
      [undefined, { a: 1 }, undefined],
    ]);
  });

  it('tells a client that is slow to take its first text all that it missed, once it has taken it', async () => {
    const slow = await add();
    const quick = await add();
    slow.waitingBytes = 1;
    change('second');
    await tick();
    change('third');
    await tick();
    expect(idsIn(slow)).to.deep.equal([['first']]);
    slow.waitingBytes = 0;
    change('fourth');
    await tick();
    change('fifth');
    await tick();
    expect(idsIn(slow)).to.deep.equal([['first'], ['second', 'third', 'fourth'], ['fifth']]);
    expect(idsIn(quick)).to.deep.equal([['first'], ['second'], ['third'], ['fourth'], ['fifth']]);
  });

  it('lets a client that knows more than this replica wait until the replica knows it', async () => {
    const { snapshot } = listing;
    const ahead = await add({ history: 'h', version: version + 1 });
    listing = { snapshot, staleSince: 1 };
    await tick();
    expect(ahead.told).to.deep.equal([]);
    expect(ahead.parser.lastEventId).to.equal('');
    change('second');
    await tick();
    expect(ahead.told).to.deep.equal([]);
    expect(ahead.parser.lastEventId).to.match(/^h\./);
    change('third');
    await tick();
    expect(idsIn(ahead)).to.deep.equal([['third']]);
  });

  it('tells the whole list to a client that knows what is in no current list', async () => {
    const ahead = await add({ history: 'h', version: version + 1000 });
    await tick();
    expect(ahead.told.map(({ full }) => full)).to.deep.equal([true]);
    expect(idsIn(ahead)).to.deep.equal([['first']]);
  });

  describe('whether the list is current', () => {
    const SINCE = Date.UTC(2026, 10, 22, 10, 0, 1);
    const STALE = '{"stale":true,"as_of":"2026-11-22T10:00:01.000Z"}';

    it('is told to every client once it changes, and once each time', async () => {
      const clients = [await add(), await add(undefined, 'name=A*')];
      await tick();
      expect(clients.flatMap(({ states }) => states)).to.deep.equal([]);
      listing = { ...listing, staleSince: SINCE };
      for (let n = 0; n < 3; n += 1) await tick();
      expect(clients.map(({ states }) => states)).to.deep.equal([[STALE], [STALE]]);
      listing = { ...listing, staleSince: undefined };
      for (let n = 0; n < 3; n += 1) await tick();
      const both = [STALE, '{"stale":false}'];
      expect(clients.map(({ states }) => states)).to.deep.equal([both, both]);
    });

    it('is told at once to a client that comes while it is not, before its list, and only then', async () => {
      listing = { ...listing, staleSince: SINCE };
      const outbox = new FakeOutbox();
      const types: string[] = [];
      outbox.add = ({ rope }) => types.push(...(rope.toString().match(/(?<=^event: )\w+/gm) ?? []));
      await add(undefined, '', outbox);
      await tick();
      expect(types).to.deep.equal(['state', 'changes']);
      listing = { ...listing, staleSince: undefined };
      const later = await add();
      await tick();
      expect(types).to.deep.equal(['state', 'changes', 'state']);
      expect(later.states).to.deep.equal([]);
    });

    it('leaves a client where it stands', async () => {
      const client = await add();
      await tick();
      const { lastEventId } = client.parser;
      listing = { ...listing, staleSince: SINCE };
      await tick();
      expect([client.states, client.parser.lastEventId]).to.deep.equal([[STALE], lastEventId]);
      expect(lastEventId).to.not.equal('');
    });

    it('waits until a client has taken its first text, which may be long', async () => {
      const client = await add();
      client.waitingBytes = 2 * 1024 * 1024;
      listing = { ...listing, staleSince: SINCE };
      await tick();
      expect(client.states).to.deep.equal([]);
      client.waitingBytes = 0;
      await tick();
      expect(client.states).to.deep.equal([STALE]);
    });
  });
});
