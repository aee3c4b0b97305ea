import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListedGameServer } from '../../src/registry/game-server.ts';
import { SnapshotBuilder } from '../../src/registry/snapshot/snapshot-builder.ts';
import { parsePageQuery } from '../../src/find/page-query.ts';
import { select, type MatchingRows } from '../../src/find/select.ts';
import { anEntry } from '../support/builders.ts';
import { runs } from '../support/runs.ts';

const QUERY = parsePageQuery('players=1..&sort=-players,name');

function selectFrom(rows: readonly ListedGameServer[], limit: number): MatchingRows {
  const builder = new SnapshotBuilder<ListedGameServer>();
  for (const row of rows) builder.set(row);
  const { chunks } = builder.build({ epoch: 'e', history: 'e', version: 1 });
  const work = select(chunks, QUERY.filters, QUERY.order, limit);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

describe('the first entries of a query that was not asked before', () => {
  it('are those of the whole list, sorted, and the last ones if no more match', () => {
    const players = fc.array(fc.nat({ max: 4 }), { maxLength: 60 });
    fc.assert(
      fc.property(players, fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const rows = all.map((each, n) =>
          anEntry({ id: `id-${n}`, registeredVersion: n + 1, players: each }),
        );
        const matching = rows.filter((row) => QUERY.filters.matches(row)).toSorted(QUERY.order.compare);
        expect(selectFrom(rows, limit)).to.deep.equal({
          rows: matching.slice(0, limit),
          total: matching.length,
          isLast: matching.length <= limit,
        });
      }),
      { numRuns: runs(300) },
    );
  });
});
