import { expect } from 'chai';
import * as fc from 'fast-check';
import { finish } from '../../../src/api/work/work.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { PLAIN } from '../../../src/registry/snapshot/row.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import type { ListChanges, Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { anEntry } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';

const HISTORY = { epoch: 'e', history: 'h' };

/** What a client has after it took over these changes. */
function apply(
  known: ReadonlyMap<string, ListedGameServer>,
  changes: ListChanges,
): Map<string, ListedGameServer> {
  const after = new Map(known);
  for (const id of changes.gone) after.delete(id);
  for (const row of changes.changed) after.set(row.id, row);
  return after;
}

function rowsOf(snapshot: Snapshot): Map<string, ListedGameServer> {
  return new Map(snapshot.chunks.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
}

const isNamed = ({ name }: ListedGameServer): boolean => name !== 'hidden';

describe('the changes since a version', () => {
  it('lead from the list of that version to the present one, whatever is hidden, shown again and removed', async () => {
    const id = fc.integer({ min: 0, max: 12 }).map((n) => (n > 9 ? `~${n}` : `id-${n}`));
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('set' as const),
        id,
        players: fc.integer({ min: 0, max: 3 }),
        isAnew: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('delete' as const), id }),
      fc.record({ kind: fc.constant('hide' as const), id }),
      fc.record({ kind: fc.constant('show' as const), id }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const hidden = new Set<string>();
        const listed = new Map<string, ListedGameServer>();
        const isShown = (row: ListedGameServer): boolean =>
          !row.id.startsWith('~') && !hidden.has(row.id) && row.players > 0;
        const builder = new SnapshotBuilder<ListedGameServer>(() => ({ ...PLAIN, isShown }));
        const snapshots = [builder.build({ ...HISTORY, version: 100 })];
        for (const [index, each] of steps.entries()) {
          const version = 101 + index;
          if (each.kind === 'set') {
            const known = each.isAnew ? undefined : listed.get(each.id);
            const { registeredVersion = version } = known ?? {};
            const row = anEntry({ id: each.id, registeredVersion, version, players: each.players });
            listed.set(each.id, row);
            builder.set(row);
          } else if (each.kind === 'delete') {
            listed.delete(each.id);
            builder.delete(each.id, version);
          } else {
            if (each.kind === 'hide') hidden.add(each.id);
            else hidden.delete(each.id);
            await builder.reconsider(() => version);
          }
          snapshots.push(builder.build({ ...HISTORY, version }));
        }
        const now = snapshots.at(-1)!;
        for (const before of snapshots) {
          const changes = finish(now.changesSince(before))!;
          expect(apply(rowsOf(before), changes)).to.deep.equal(rowsOf(now));
          expect([...changes.gone].filter((gone) => gone.startsWith('~'))).to.deep.equal([]);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('are not known for another history, a later version, or one before the floor', () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    builder.departures.raiseFloor(50);
    const snapshot = builder.build({ ...HISTORY, version: 100, continues: new Map([['earlier', 80]]) });
    const isKnown = (history: string, version: number): boolean =>
      finish(snapshot.changesSince({ history, version })) !== undefined;
    expect(isKnown('h', 100)).to.equal(true);
    expect(isKnown('h', 50)).to.equal(true);
    expect(isKnown('h', 49)).to.equal(false);
    expect(isKnown('h', 101)).to.equal(false);
    expect(isKnown('another', 90)).to.equal(false);
    expect(isKnown('earlier', 80)).to.equal(true);
    expect(isKnown('earlier', 81)).to.equal(false);
  });

  it('name what may have been shown between two lists, to those who may have seen it there', () => {
    const builder = new SnapshotBuilder<ListedGameServer>(() => ({ ...PLAIN, isShown: isNamed }));
    builder.set(anEntry({ id: 'hidden', name: 'hidden', registeredVersion: 5 }));
    builder.build({ ...HISTORY, version: 10 });
    builder.delete('short', 30);
    builder.set(anEntry({ id: 'hidden', name: 'hidden', registeredVersion: 5, version: 35 }));
    const snapshot = builder.build({ ...HISTORY, version: 40 });
    const goneSince = (version: number): readonly string[] => [
      ...finish(snapshot.changesSince({ history: 'h', version }))!.gone,
    ];
    expect(goneSince(4)).to.deep.equal(['hidden']);
    expect(goneSince(10)).to.deep.equal([]);
    expect(goneSince(11)).to.deep.equal(['short', 'hidden']);
    expect(goneSince(30)).to.deep.equal(['hidden']);
    expect(goneSince(35)).to.deep.equal([]);
  });

  it('are known for five minutes at 333 removals a second, and for the latest 10,000 however long ago', () => {
    const quick = new SnapshotBuilder<ListedGameServer>();
    const start = 1e15;
    for (let n = 0; n < 130_000; n += 1) quick.delete(`id-${n}`, start + n * 3000);
    const { floor } = quick.departures;
    const latest = start + 129_999 * 3000;
    expect(latest - floor).to.be.within(298e6, 310e6);

    const slow = new SnapshotBuilder<ListedGameServer>();
    for (let n = 0; n < 30_000; n += 1) slow.delete(`id-${n}`, start + n * 1e6);
    const version = start + 29_999e6;
    const since = { history: 'h', version: version - 10_000e6 };
    const changes = finish(slow.build({ ...HISTORY, version }).changesSince(since));
    expect(changes?.gone.size).to.equal(10_000);
  });
});
