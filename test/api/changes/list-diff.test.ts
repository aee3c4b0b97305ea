import { expect } from 'chai';
import * as fc from 'fast-check';
import { changesAmong, changesSince } from '../../../src/api/changes/list-changes.ts';
import { parseQuery } from '../../../src/model/query/parse-query.ts';
import { diffLists } from '../../../src/api/changes/list-diff.ts';
import { finish } from '../../../src/api/work/work.ts';
import type { ListedGameServer, SeenPlayers } from '../../../src/model/game-server.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { anEntry } from '../../support/builders.ts';
import { numbers } from '../../support/in-groups.ts';
import { runs } from '../../support/runs.ts';

const HISTORY = { epoch: 'e', history: 'h' };
const FILTERS = ['', 'players=1..2', 'players=0', 'name=a*', 'players=9'];

function rowsOf(snapshot: Snapshot, filters: string): Map<string, ListedGameServer> {
  const parsed = parseQuery(filters).filters;
  const rows = snapshot.chunks.flatMap((chunk) => chunk.rows).filter((row) => parsed.matches(row));
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the client that had these rows has after it took over the changes. */
function apply(
  rows: ReadonlyMap<string, ListedGameServer>,
  {
    servers,
    removed,
  }: { readonly servers: readonly ListedGameServer[]; readonly removed: readonly string[] },
): Map<string, ListedGameServer> {
  const after = new Map(rows);
  for (const id of removed) after.delete(id);
  for (const row of servers) after.set(row.id, row);
  return after;
}

function shown(rows: ReadonlyMap<string, ListedGameServer>): unknown[] {
  const places = [...rows.values()].map(({ id, name, players, registeredVersion }) => ({
    id,
    name,
    players,
    registeredVersion,
  }));
  return places.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Lists as a replica makes them one after the other, some after it has loaded all anew or begun another history. */
const lists = fc
  .array(
    fc.oneof(
      fc.record({
        kind: fc.constant('set' as const),
        id: fc.integer({ min: 0, max: 15 }),
        players: fc.integer({ min: 0, max: 3 }),
        name: fc.constantFrom('a', 'b', 'ab'),
        /** Registered anew under its id, of which a replica perhaps saw only this. */
        isAnew: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('delete' as const), id: fc.integer({ min: 0, max: 15 }) }),
      fc.record({ kind: fc.constant('reload' as const), anew: fc.boolean() }),
    ),
    { maxLength: 40 },
  )
  .map((steps) => {
    let builder = new SnapshotBuilder<ListedGameServer>();
    let history = HISTORY.history;
    let listed = new Map<string, ListedGameServer>();
    const snapshots = [builder.build({ ...HISTORY, version: 100 })];
    for (const [index, step] of steps.entries()) {
      const version = 101 + index;
      if (step.kind === 'set') {
        const id = `id-${step.id}`;
        const { isAnew, players, name } = step;
        const { registeredVersion = version } = (isAnew ? undefined : listed.get(id)) ?? {};
        const row = anEntry({ id, players, name, registeredVersion, version });
        listed.set(id, row);
        builder.set(row);
      } else if (step.kind === 'delete') {
        if (listed.delete(`id-${step.id}`)) builder.delete(`id-${step.id}`, version);
      } else {
        builder = new SnapshotBuilder();
        history = `h${version}`;
        // Anew: what was registered comes back under its id, at another place.
        listed = new Map(
          [...listed].map(([id, row]) => [id, { ...row, ...(step.anew && { registeredVersion: version }) }]),
        );
        for (const row of listed.values()) builder.set(row);
      }
      snapshots.push(builder.build({ ...HISTORY, history, version }));
    }
    return snapshots;
  });

/** A long list; `players` of the entry of each number. */
function longList(players: (n: number) => number): Snapshot {
  const builder = new SnapshotBuilder<ListedGameServer>();
  for (let n = 0; n < 5000; n += 1)
    builder.set(anEntry({ id: `id-${n}`, registeredVersion: n + 1, players: players(n) }));
  return builder.build({ ...HISTORY, version: 6000 });
}

/** A list of one entry. */
function listWith(seen?: SeenPlayers): Snapshot {
  const builder = new SnapshotBuilder<ListedGameServer>();
  builder.set(anEntry({ id: 'a', seen }));
  return builder.build({ ...HISTORY, version: 1 });
}

describe('the difference of two lists', () => {
  it('leads from one to the other, whatever happened in between and whatever a client filters by', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...FILTERS), async (snapshots, query) => {
        const { filters } = parseQuery(query);
        for (const [index, before] of snapshots.entries()) {
          const after = snapshots[Math.min(snapshots.length - 1, index + 5)]!;
          const changes = finish(changesAmong(finish(diffLists(before, after)), filters));
          const had = rowsOf(before, query);
          expect(shown(apply(had, changes))).to.deep.equal(shown(rowsOf(after, query)));
          const ids = new Set(changes.servers.map(({ id }) => id));
          expect(changes.removed.filter((id) => ids.has(id) || !had.has(id))).to.deep.equal([]);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('names each entry that changed in a long list, and none that shows the same after all were loaded anew', () => {
    const before = longList(() => 0);
    expect(
      finish(
        diffLists(
          before,
          longList(() => 0),
        ),
      ),
    ).to.deep.equal([]);
    const changes = finish(
      diffLists(
        before,
        longList((n) => (n % 100 === 0 ? 1 : 0)),
      ),
    );
    expect(changes.map(({ after }) => after?.id)).to.deep.equal(numbers(50).map((n) => `id-${100 * n}`));
  });

  it('has an entry of which other players, or the same at another time, were seen', () => {
    const seen = { players: 3, at: 1000 };
    expect(finish(diffLists(listWith(seen), listWith({ ...seen })))).to.deep.equal([]);
    for (const next of [undefined, { ...seen, players: 4 }, { ...seen, at: 2000 }])
      expect(finish(diffLists(listWith(seen), listWith(next)))).to.have.length(1);
  });
});

describe('the changes since a position', () => {
  it('lead to the filtered list', async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.constantFrom(...FILTERS), async (snapshots, query) => {
        const { filters } = parseQuery(query);
        const now = snapshots.at(-1)!;
        for (const before of snapshots) {
          const changes = finish(changesSince(now, before, filters));
          if (changes === undefined) continue;
          expect(shown(apply(rowsOf(before, query), changes))).to.deep.equal(shown(rowsOf(now, query)));
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('take away what was registered anew under its id and does not match any more', () => {
    const row = { id: 'a', registeredVersion: 101, version: 101, players: 0 };
    const anew = { ...row, registeredVersion: 103, version: 103, players: 1 };
    const { filters } = parseQuery('players=0');
    for (const isRemovedBefore of [true, false]) {
      const builder = new SnapshotBuilder<ListedGameServer>();
      builder.set(anEntry(row));
      const before = builder.build({ ...HISTORY, version: 101 });
      if (isRemovedBefore) builder.delete('a', 102);
      builder.set(anEntry(anew));
      const after = builder.build({ ...HISTORY, version: 103 });
      const changes = finish(changesSince(after, before, filters));
      expect(changes).to.deep.equal({ servers: [], removed: ['a'] });
    }
  });

  it('are not known to a client without a position', () => {
    const snapshot = new SnapshotBuilder<ListedGameServer>().build({ ...HISTORY, version: 100 });
    expect(finish(changesSince(snapshot, undefined, parseQuery('').filters))).to.equal(undefined);
  });
});
