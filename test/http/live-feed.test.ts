/** What the clients of streams are told, tick by tick, without sockets. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { parseQuery } from '../../src/find/filters.ts';
import { LiveFeed, type FeedClient } from '../../src/http/live-feed.ts';
import type { Outbox, Sendable } from '../../src/http/stream-outbox.ts';
import type { ListedGameServer } from '../../src/registry/game-server.ts';
import type { Listing } from '../../src/registry/registry.ts';
import type { ListPosition } from '../../src/registry/snapshot/snapshot.ts';
import { SnapshotBuilder } from '../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../support/builders.ts';
import { EventParser } from '../support/event-parser.ts';
import type { ToldChanges } from '../support/follow-changes.ts';

class FakeOutbox {
  readonly isGzip = false;
  waitingBytes = 0;
  readonly told: ToldChanges[] = [];
  readonly parser = new EventParser(({ data }) => this.told.push(JSON.parse(data) as ToldChanges));

  add({ rope }: Sendable): void {
    this.parser.push(rope.toString());
  }
}

/** Of the servers that each event told. */
function idsIn({ told }: FakeOutbox): string[][] {
  return told.map(({ servers }) => servers.map(({ id }) => id));
}

describe('the live feed', () => {
  let builder: SnapshotBuilder<ListedGameServer>;
  let version: number;
  let listing: Listing;
  let asked: number;
  let feed: LiveFeed;
  beforeEach(() => {
    builder = new SnapshotBuilder();
    version = 100;
    asked = 0;
    change('first');
    feed = new LiveFeed({
      registry: {
        async list() {
          asked += 1;
          return listing;
        },
      },
      now: () => 0,
      onEvents: () => undefined,
      onLagging: () => expect.fail('a client lags'),
      onError: (error) => expect.fail(String(error)),
    });
  });

  /** An entry changes, and the next tick sees it. */
  function change(id: string): void {
    version += 1;
    builder.set(anEntry({ id, registeredVersion: version, version }));
    listing = {
      snapshot: builder.build({ epoch: 'e', history: 'h', version }),
      staleSince: undefined,
    };
  }

  async function add(position?: ListPosition, query = ''): Promise<FakeOutbox> {
    const outbox = new FakeOutbox();
    const client: FeedClient = {
      filters: parseQuery(query).filters,
      outbox: outbox as unknown as Outbox,
      position,
      isAwaitingText: false,
      toldAt: 0,
    };
    feed.add(client, listing.snapshot);
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    return outbox;
  }

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
});
