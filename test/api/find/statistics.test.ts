import { expect } from 'chai';
import * as fc from 'fast-check';
import { Stats } from '../../../src/api/find/statistics.ts';
import { Turns } from '../../../src/api/work/turns.ts';
import { OWN } from '../../../src/api/work/work.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';

interface Counted {
  readonly servers: number;
  readonly players: number;
}

type StatsBody = Readonly<Record<'servers' | 'players' | 'max_players' | 'empty' | 'full', number>> & {
  readonly maps: readonly (Counted & { readonly value: string })[];
  readonly other_maps: Counted;
};

const sum = (rows: readonly ListedGameServer[], of: (row: ListedGameServer) => number): number =>
  rows.reduce((all, row) => all + of(row), 0);

/** What the statistics say, counted anew. */
function countNaively(rows: readonly ListedGameServer[]): StatsBody {
  const said = new Set(rows.flatMap(({ details }) => details.fields.map ?? []));
  const maps = [...said]
    .map((value) => {
      const there = rows.filter(({ details }) => details.fields.map === value);
      return { value, servers: there.length, players: sum(there, ({ players }) => players) };
    })
    .toSorted((a, b) => b.servers - a.servers || b.players - a.players || (a.value < b.value ? -1 : 1))
    .slice(0, 50);
  const players = sum(rows, (row) => row.players);
  return {
    servers: rows.length,
    players,
    max_players: sum(rows, ({ maxPlayers }) => maxPlayers),
    empty: rows.filter((row) => row.players === 0).length,
    full: rows.filter((row) => row.players >= row.maxPlayers).length,
    maps,
    other_maps: {
      servers: maps.reduce((rest, each) => rest - each.servers, rows.length),
      players: maps.reduce((rest, each) => rest - each.players, players),
    },
  };
}

describe('statistics', () => {
  it('are those of the whole list, whatever has changed before', async () => {
    const aRow = fc.record({
      id: fc.integer({ min: 0, max: 600 }).map((n) => `id-${n}`),
      players: fc.integer({ min: 0, max: 4 }),
      map: fc.option(fc.integer({ min: 0, max: 70 }).map(String), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aRow, { maxLength: 200 }), { maxLength: 4 }),
        fc.constantFrom('', 'empty=false', 'map!=7'),
        async (rounds, query) => {
          const builder = new SnapshotBuilder<ListedGameServer>();
          const stats = new Stats(new Turns());
          const filters = stats.parse(query);
          const listed = new Map<string, ListedGameServer>();
          let version = 1;
          const all = Array.from({ length: 601 }, (_, n) => ({ id: `id-${n}`, players: 1, map: undefined }));
          for (const round of [all, ...rounds]) {
            for (const { id, players, map } of round) {
              version += 1;
              const { registeredVersion = version } = listed.get(id) ?? {};
              const details = Details.of(map === undefined ? {} : { map });
              const row = anEntry({ id, players, details, maxPlayers: 4, registeredVersion, version });
              listed.set(id, row);
              builder.set(row);
            }
            const body = await stats.answer(
              filters,
              builder.build({ epoch: 'e', history: 'h', version }),
              OWN,
            );
            expect(JSON.parse(body.plain.toString())).to.deep.include(
              countNaively([...listed.values()].filter((row) => filters.matches(row))),
            );
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });

  it('stay the same bytes while nothing that they count changes', async () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    const stats = new Stats(new Turns());
    builder.set(anEntry());
    const ask = (version: number) =>
      stats.answer(stats.parse(''), builder.build({ epoch: 'e', history: 'h', version }), OWN);
    const first = await ask(11);
    builder.set(anEntry({ name: 'Another', version: 12 }));
    expect(await ask(12)).to.equal(first);
  });

  it('are kept as far as the memory for them goes', async () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    for (let n = 0; n < 12_500; n += 1) {
      const text = `text ${n}`;
      const details = Details.of({ map: text, mode: text, region: text, version: text });
      builder.set(anEntry({ id: `id-${n}`, details }));
    }
    const snapshot = builder.build({ epoch: 'e', history: 'h', version: 10 });
    const stats = new Stats(new Turns());
    // Some 5 MB each, of 16.
    const ask = (n: number) => stats.answer(stats.parse(`name!=${n}`), snapshot, OWN);
    const first = await ask(0);
    await ask(1);
    expect(await ask(0)).to.equal(first);
    for (const n of [2, 3, 4]) await ask(n);
    expect(await ask(0)).to.not.equal(first);
  });
});
