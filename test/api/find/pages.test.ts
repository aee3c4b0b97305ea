import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { Pages } from '../../../src/api/find/pages.ts';
import type { Page } from '../../../src/api/find/page.ts';
import { renderServer } from '../../../src/api/find/render-server.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { OWN } from '../../../src/api/work/work.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { anEntry } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';

interface PageBody {
  readonly status: string;
  readonly servers: readonly { readonly id: string }[];
  readonly count: number;
  readonly total: number;
  readonly next: string | null;
}

const bodyOf = (page: Page): PageBody => JSON.parse(page.body.plain.toString()) as PageBody;

const withCursor = (query: string, cursor: string | null): string =>
  cursor === null ? query : `${query}&cursor=${cursor}`;

/** A list that changes, and the pages of it. */
class ChangingList {
  readonly rows = new Map<string, ListedGameServer>();
  readonly pages = new Pages(new Turns());
  readonly #builder = new SnapshotBuilder<ListedGameServer>();
  #version = 1;

  set(row: Partial<ListedGameServer> & { readonly id: string }): void {
    this.#version += 1;
    const version = this.#version;
    const { registeredVersion = version } = this.rows.get(row.id) ?? {};
    const entry = anEntry({ registeredVersion, ...row, version });
    this.rows.set(row.id, entry);
    this.#builder.set(entry);
  }

  delete(id: string): void {
    this.#version += 1;
    this.rows.delete(id);
    this.#builder.delete(id, this.#version);
  }

  snapshot(): Snapshot {
    return this.#builder.build({ epoch: 'e', history: 'h', version: this.#version });
  }

  ask(query: string, snapshot = this.snapshot()): Promise<Page> {
    return this.pages.answer(this.pages.parse(query), snapshot, OWN);
  }

  /** The servers of all pages, one after the other, of one list; and what the pages say of them all. */
  async askForAll(query: string): Promise<PageBody[]> {
    const snapshot = this.snapshot();
    const bodies: PageBody[] = [];
    let next: string | null = null;
    do {
      const body = bodyOf(await this.ask(withCursor(query, next), snapshot));
      bodies.push(body);
      ({ next } = body);
    } while (next !== null);
    return bodies;
  }
}

type Value = string | number | boolean | undefined;

/** What the queries of the property mean, told anew. */
const FILTERS: Readonly<Record<string, (row: ListedGameServer) => boolean>> = {
  '': () => true,
  'map=a,b': ({ details }) => ['a', 'b'].includes(details.fields.map!),
  'map!=a': ({ details }) => details.fields.map !== 'a',
  'players=1..2': ({ players }) => players === 1 || players === 2,
  'q=b': ({ name, details }) => `${name} ${details.fields.map}`.toLowerCase().includes('b'),
  'empty=false&map=*': ({ players, details }) => players > 0 && details.fields.map !== undefined,
  'full=true': ({ players, maxPlayers }) => players >= maxPlayers,
  'map=nowhere': () => false,
};

const ORDERS: Readonly<Record<string, (row: ListedGameServer) => readonly (readonly [Value, 1 | -1])[]>> = {
  '': () => [],
  'sort=-players,name': ({ players, name }) => [
    [players, -1],
    [name, 1],
  ],
  'sort=map': ({ details }) => [[details.fields.map, 1]],
  'sort=-map,players': ({ players, details }) => [
    [details.fields.map, -1],
    [players, 1],
  ],
  'sort=empty,full,-players': ({ players, maxPlayers }) => [
    [players === 0, 1],
    [players >= maxPlayers, 1],
    [players, -1],
  ],
  'sort=-registered_at': ({ registeredVersion }) => [[registeredVersion, -1]],
};

function compareNaively(keysOf: (row: ListedGameServer) => readonly (readonly [Value, 1 | -1])[]) {
  return (a: ListedGameServer, b: ListedGameServer): number => {
    const others = keysOf(b);
    for (const [index, [value, sign]] of keysOf(a).entries()) {
      const other = others[index]![0];
      if (value === other) continue;
      if (value === undefined) return 1;
      if (other === undefined) return -1;
      return value < other ? -sign : sign;
    }
    return a.registeredVersion - b.registeredVersion || (a.id < b.id ? -1 : 1);
  };
}

const anId = fc.integer({ min: 0, max: 700 }).map((n) => `id-${n}`);
const aChange = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('set' as const),
      id: anId,
      players: fc.integer({ min: 0, max: 3 }),
      name: fc.constantFrom('A', 'b', 'Ç', 'B b'),
      map: fc.constantFrom(undefined, 'a', 'b', 'É'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: anId }) },
);
const aQuery = fc.record({
  filter: fc.constantFrom(...Object.keys(FILTERS)),
  order: fc.constantFrom(...Object.keys(ORDERS)),
  limit: fc.constantFrom(1, 7, 100, 1000),
});

type Change = typeof aChange extends fc.Arbitrary<infer T> ? T : never;

function apply(list: ChangingList, change: Change): void {
  if (change.kind === 'delete') return list.delete(change.id);
  const { id, players, name, map } = change;
  list.set({ id, players, name, details: Details.of(map === undefined ? {} : { map }) });
}

describe('pages of servers', () => {
  it('hold together what filtering and sorting the whole list gives, whatever has changed before', async () => {
    const rounds = fc.array(fc.array(aChange, { maxLength: 60 }), { maxLength: 6 });
    const asked = fc.array(aQuery, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 700 }), rounds, asked, async (size, all, queries) => {
        const list = new ChangingList();
        for (let n = 0; n < size; n += 1) list.set({ id: `id-${n}`, players: n % 4 });
        for (const changes of all) {
          for (const change of changes) apply(list, change);
          for (const { filter, order, limit } of queries) {
            const query = [filter, order, `limit=${limit === 1 && list.rows.size > 50 ? 50 : limit}`].join(
              '&',
            );
            const expected = [...list.rows.values()]
              .filter(FILTERS[filter]!)
              .toSorted(compareNaively(ORDERS[order]!));
            const bodies = await list.askForAll(query);
            expect(bodies.flatMap(({ servers }) => servers)).to.deep.equal(
              expected.map((row) => JSON.parse(renderServer(row)) as object),
            );
            for (const { total, count, servers } of bodies) {
              expect(total).to.equal(expected.length);
              expect(count).to.equal(servers.length);
            }
          }
        }
      }),
      { numRuns: runs(10) },
    );
  });

  it('have each entry that stays listed once, in the order of registration, while others come and go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aChange, { maxLength: 40 }), { maxLength: 8 }),
        fc.integer({ min: 20, max: 60 }),
        async (between, limit) => {
          const list = new ChangingList();
          for (let n = 0; n < 300; n += 1) list.set({ id: `id-${n}` });
          const stayed = new Set(list.rows.keys());
          const seen: string[] = [];
          let next: string | null = null;
          let pause = 0;
          do {
            const body: PageBody = bodyOf(await list.ask(withCursor(`limit=${limit}`, next)));
            seen.push(...body.servers.map(({ id }) => id));
            ({ next } = body);
            for (const change of between[pause] ?? []) {
              if (change.kind === 'delete') stayed.delete(change.id);
              apply(list, change);
            }
            pause += 1;
          } while (next !== null);
          expect(seen.filter((id) => stayed.has(id))).to.deep.equal([...stayed]);
        },
      ),
      { numRuns: runs(8) },
    );
  });

  it('have their members in one order, and the same bytes in gzip', async () => {
    const list = new ChangingList();
    for (const id of ['x', 'y', 'z']) list.set({ id, details: Details.of({ meta: { a: id } }) });
    const page = await list.ask('limit=2&include=meta');
    const shown = [...list.rows.values()].slice(0, 2).map((row) => renderServer(row, true));
    expect(page.body.plain.toString()).to.equal(
      `{"status":"success","servers":[${shown.join(',')}],"count":2,"total":3,"next":"${page.content.next}"}`,
    );
    expect(gunzipSync((await page.body.gzip(new Turns(), OWN)).toBuffer()).toString()).to.equal(
      page.body.plain.toString(),
    );
    const { text } = await list.ask('map=nowhere').then(({ body }) => ({ text: body.plain.toString() }));
    expect(text).to.equal('{"status":"success","servers":[],"count":0,"total":0,"next":null}');
  });

  it('stay the same while nothing on them changes, and are made once for all that ask', async () => {
    const list = new ChangingList();
    for (let n = 0; n < 600; n += 1) list.set({ id: `id-${n}`, players: n });
    const ask = () => list.ask('sort=-players&limit=10');
    const [first, same] = await Promise.all([ask(), list.ask('limit=10&sort=-players,-players')]);
    expect(same).to.equal(first);
    list.set({ id: 'id-3', players: 4 });
    expect(await ask()).to.equal(first);
    list.set({ id: 'id-599', players: 4 });
    const changed = await ask();
    expect(changed).to.not.equal(first);
    expect(changed.body.hash).to.not.equal(first.body.hash);
  });

  it('are kept as far as the memory for them goes', async () => {
    const list = new ChangingList();
    const details = Details.of({ meta: { text: 'm'.repeat(4096) } });
    for (let n = 0; n < 1000; n += 1) list.set({ id: `id-${n}`, details });
    // Some 10 MB each, of 32.
    const ask = (n: number) => list.ask(`include=meta&limit=1000&name!=${n}`);
    const first = await ask(0);
    await ask(1);
    expect(await ask(0)).to.equal(first);
    for (const n of [2, 3, 4]) await ask(n);
    expect(await ask(0)).to.not.equal(first);
  });

  it('are never older than the list of the request', async () => {
    const list = new ChangingList();
    const asked: Promise<Page>[] = [];
    for (let n = 0; n < 20; n += 1) {
      list.set({ id: `id-${n}` });
      asked.push(list.ask('sort=name'));
      if (n % 5 === 0) await asked[0];
    }
    for (const [n, page] of (await Promise.all(asked)).entries())
      expect(page.content.total).to.be.at.least(n + 1);
  });
});
