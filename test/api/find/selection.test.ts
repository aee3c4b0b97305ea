import { mock } from 'node:test';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { ColumnCache, type FieldColumn } from '../../../src/api/find/column-cache.ts';
import { parsePageQuery } from '../../../src/api/find/page-query.ts';
import { Selection, type Side } from '../../../src/api/find/selection.ts';
import { LISTED_FIELDS } from '../../../src/model/query/listed-fields.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import type { Chunk } from '../../../src/registry/snapshot/chunk.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { finish } from '../../../src/api/work/work.ts';
import { anEntry } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';

const text = fc.constantFrom('a', 'b', 'ab', 'É', 'a,b', '');
const said = fc.record(
  {
    map: text,
    region: text,
    password: fc.boolean(),
    tags: fc.uniqueArray(text, { maxLength: 3 }),
    meta: fc.record(
      { k: fc.oneof(text, fc.integer({ min: 0, max: 3 }), fc.array(fc.oneof(text, fc.boolean()))) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
/** Few names, or nearly as many as there are entries. */
const name = fc.oneof(text, fc.integer({ min: 0, max: 500 }).map(String));
const aRow = fc.record({
  n: fc.integer({ min: 0, max: 700 }),
  name,
  players: fc.integer({ min: 0, max: 6 }),
  said,
  leaves: fc.boolean(),
});

const value = fc.constantFrom('a', 'b', 'a*', '%C3%89', '*', '4', 'a%2Cb');
const values = fc.array(value, { minLength: 1, maxLength: 3 }).map((all) => all.join(','));
const textFilter = fc
  .tuple(
    fc.constantFrom('name', 'map', 'region', 'tags', 'meta.k', 'id', 'mode'),
    fc.constantFrom('', '!'),
    values,
  )
  .map(([field, not, wanted]) => `${field}${not}=${wanted}`);
const numberFilter = fc
  .tuple(fc.constantFrom('players', 'free', 'max_players'), fc.constantFrom('1..', '..3', '2', '0,4..5'))
  .map((pair) => pair.join('='));
const otherFilter = fc.constantFrom('full=true', 'empty!=true', 'password=false', 'q=a', 'q=e%20a', 'q=3');
const filters = fc.array(fc.oneof(textFilter, numberFilter, otherFilter), { maxLength: 4 });
const sort = fc.constantFrom(
  'players',
  '-players,name',
  'map,-name',
  '-region',
  'name',
  'password,full',
  '-registered_at',
);
const aQuery = fc.tuple(filters, sort).map(([all, by]) => [...all, `sort=${by}`].join('&'));

/** A list with all its versions. */
class Versions {
  readonly snapshots: Snapshot[] = [];
  readonly #builder = new SnapshotBuilder<ListedGameServer>();
  readonly #registered = new Map<string, number>();
  #version = 0;

  change(rows: readonly (typeof aRow extends fc.Arbitrary<infer T> ? T : never)[]): void {
    for (const { n, leaves, players, said: fields, ...row } of rows) {
      this.#version += 1;
      const version = this.#version;
      const id = `id-${n}`;
      if (leaves) {
        this.#builder.delete(id, version);
        this.#registered.delete(id);
        continue;
      }
      const registeredVersion = this.#registered.get(id) ?? version;
      this.#registered.set(id, registeredVersion);
      const details = Details.of(fields);
      this.#builder.set(anEntry({ ...row, id, players, maxPlayers: 4, details, registeredVersion, version }));
    }
    this.snapshots.push(this.#builder.build({ epoch: 'e', history: 'h', version: this.#version }));
  }
}

function chunkOf(count: number, create: (n: number) => Partial<ListedGameServer>): Chunk {
  const builder = new SnapshotBuilder<ListedGameServer>();
  for (let n = 0; n < count; n += 1)
    builder.set(anEntry({ id: `id-${n}`, registeredVersion: n + 1, ...create(n) }));
  return builder.build({ epoch: 'e', history: 'h', version: count }).chunks[0]!;
}

const PLAYERS = { name: 'players', valueOf: LISTED_FIELDS.number['players']! };
const columns = new ColumnCache();
const playersOf = (chunk: Chunk): FieldColumn => finish(columns.of(PLAYERS, chunk));

describe('a selection of rows', () => {
  it('has just the rows that match one by one, of any version of the list, asked in any sequence', () => {
    const first = fc.array(aRow, { minLength: 300, maxLength: 500 });
    const changes = fc.array(fc.array(aRow, { maxLength: 30 }), { maxLength: 3 });
    const asked = fc.array(fc.tuple(aQuery, fc.nat(), fc.constantFrom<Side>(-1, 1)), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(first, changes, asked, (all, rounds, queries) => {
        const versions = new Versions();
        versions.change(all.map((row) => ({ ...row, leaves: false })));
        for (const round of rounds) versions.change(round);
        const selection = new Selection();
        for (const [query, seed, side] of queries) {
          const { filters: wanted, order } = parsePageQuery(query);
          const { chunks } = versions.snapshots[seed % versions.snapshots.length]!;
          for (const chunk of chunks) {
            const matching = chunk.rows.filter(wanted.matches);
            finish(selection.match(chunk, wanted.conditions));
            expect([...selection.rows()], query).to.deep.equal(matching);
            const other = chunk.rows[seed % chunk.rows.length]!;
            finish(selection.keepBeside(side, order.placeOf(other), order));
            expect([...selection.rows()], `${side} ${query}`).to.deep.equal(
              matching.filter((row) => side * order.compare(row, other) > 0),
            );
          }
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('is of a chunk with more values than a column has codes for', () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    const set = (n: number, players: number, version: number): void =>
      void builder.set(anEntry({ id: `id-${n}`, registeredVersion: n + 1, players, version }));
    for (let n = 0; n < 512; n += 1) set(n, n % 200, n);
    const build = (): Chunk => builder.build({ epoch: 'e', history: 'h', version: 1000 }).chunks[0]!;
    expect(playersOf(build()).codes).to.have.length(512);
    for (let n = 0; n < 100; n += 1) set(n, 1000 + n, 1000 + n);
    const { filters: wanted } = parsePageQuery('players=1050..1059,3');
    const chunk = build();
    const selection = new Selection();
    finish(selection.match(chunk, wanted.conditions));
    expect([...selection.rows()].map(({ players }) => players)).to.deep.equal([
      ...Array.from({ length: 10 }, (_, i) => 1050 + i),
      3,
      3,
    ]);
  });
});

describe('the column of a field', () => {
  it('has each value once where few are different, and each row has its own where most are', () => {
    const few = playersOf(chunkOf(300, (n) => ({ players: n % 5 })));
    expect(few.values).to.deep.equal([0, 1, 2, 3, 4]);
    const many = playersOf(chunkOf(300, (n) => ({ players: n })));
    expect(many).to.deep.equal({ values: Array.from({ length: 300 }, (_, n) => n), codes: undefined });
  });

  it('stays the same as long as the rows say the same', () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    const set = (n: number, over: Partial<ListedGameServer>): void =>
      void builder.set(anEntry({ id: `id-${n}`, registeredVersion: n + 1, ...over }));
    for (let n = 0; n < 100; n += 1) set(n, { players: n % 5 });
    const build = (): Chunk => builder.build({ epoch: 'e', history: 'h', version: 200 }).chunks[0]!;
    const before = playersOf(build());
    set(7, { players: 2, name: 'renamed' });
    expect(playersOf(build())).to.equal(before);
    set(7, { players: 9 });
    const after = playersOf(build());
    expect(after.values).to.deep.equal([0, 1, 2, 3, 4, 9]);
    expect(after.values[after.codes!.charCodeAt(7)]).to.equal(9);
    expect(before.values[before.codes!.charCodeAt(7)]).to.equal(2);
  });

  it('is dropped when no query has named the field for a while', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const chunk = chunkOf(100, (n) => ({ players: n % 5 }));
      const own = new ColumnCache();
      const column = (): FieldColumn => finish(own.of(PLAYERS, chunk));
      const first = column();
      for (let n = 0; n < 10; n += 1) {
        mock.timers.tick(4 * 60_000);
        expect(column()).to.equal(first);
      }
      for (let n = 0; n < 4; n += 1) mock.timers.tick(4 * 60_000);
      expect(column()).to.not.equal(first);
    } finally {
      mock.timers.reset();
    }
  });
});
