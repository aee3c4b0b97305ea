/** The records of histories: how parts come together, and the bytes that they take. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { decodeRecord, encodeRecord } from '../../../src/registry/server-history/record-text.ts';
import {
  BLOCK_MINUTES,
  DAY_MINUTES,
  EMPTY,
  foldRecord,
  isEmpty,
  isOver,
  joinRecords,
  recordOfBlock,
  type ServerRecord,
} from '../../../src/registry/server-history/server-record.ts';
import { joinedBlock } from '../../../src/registry/server-history/history-book.ts';
import { MINUTE_MS } from '../../../src/registry/server-history/block-sampler.ts';
import { runs } from '../../support/runs.ts';

const NOW = Date.UTC(2099, 11, 31, 23, 59) / MINUTE_MS;
const LAST_BLOCK = Math.floor(NOW / BLOCK_MINUTES);

const sighting = fc
  .tuple(fc.integer({ min: 1, max: 10 }), fc.nat({ max: 1e6 }), fc.nat({ max: 1e6 }))
  .map(([seen, mean, more]) => ({ seen, total: mean * seen, peak: Math.min(1e6, mean + more) }));
/** A block is the same whoever stores it: its sighting follows from its number. */
const blocks = fc.uniqueArray(fc.tuple(fc.nat({ max: 40 * 144 }), sighting), {
  selector: ([age]) => age,
  maxLength: 40,
});

function partOf([age, seen]: readonly [number, Parameters<typeof recordOfBlock>[2]]): ServerRecord {
  const block = LAST_BLOCK - age;
  return recordOfBlock(block, block * BLOCK_MINUTES, seen);
}

/** What a registry keeps after it has got these parts. */
function kept(parts: readonly ServerRecord[], now = NOW): string {
  return parts.reduce(
    (text, part) => encodeRecord(foldRecord(joinRecords(decodeRecord(text), part), now)),
    encodeRecord(EMPTY),
  );
}

describe('the record of a history', () => {
  it('is what it was after it was encoded', () => {
    fc.assert(
      fc.property(blocks, fc.nat({ max: NOW }), (some, forgottenAt) => {
        const record = foldRecord(some.map(partOf).reduce(joinRecords, { ...EMPTY, forgottenAt }), NOW);
        expect(decodeRecord(encodeRecord(record))).to.deep.equal(record);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is the same however often and in whatever order the blocks of two hours are stored', () => {
    const recent = blocks.map((some) => some.filter(([age]) => age < 6));
    fc.assert(
      fc.property(
        recent.chain((some) =>
          fc.tuple(
            fc.constant(some),
            fc.shuffledSubarray([...some, ...some], { minLength: some.length * 2 }),
          ),
        ),
        ([some, shuffled]) => {
          expect(kept(shuffled.map(partOf))).to.equal(kept(some.map(partOf)));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('does not change when a part is stored again, or written back by one who knows less', () => {
    fc.assert(
      fc.property(blocks, fc.nat({ max: 40 }), (some, count) => {
        const inOrder = some.toSorted(([a], [b]) => b - a).map(partOf);
        const all = kept(inOrder);
        expect(kept([decodeRecord(all), ...inOrder])).to.equal(all);
        expect(kept([decodeRecord(all), decodeRecord(kept(inOrder.slice(0, count)))])).to.equal(all);
        expect(kept([decodeRecord(kept(inOrder.slice(0, count))), decodeRecord(all)])).to.equal(all);
      }),
      { numRuns: runs(200) },
    );
  });

  it('gets a block by its bytes as it does by its numbers', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat({ max: 3000 }), (some, more, minutes) => {
        const text = kept(some.map(partOf));
        const now = NOW + minutes;
        for (const [age, seen] of more) {
          const block = Math.floor(now / BLOCK_MINUTES) - (age % 20);
          const part = recordOfBlock(block, block * BLOCK_MINUTES, seen);
          const [whole, quick] = [false, true].map((isSound) =>
            decodeRecord(joinedBlock(text, part, now * MINUTE_MS, isSound)),
          );
          // What became of hours and days meanwhile is made up for later.
          expect(foldRecord(quick!, now)).to.deep.equal(whole);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('has at most 1,500 bytes, with the largest numbers in each minute of 40 days', () => {
    const worst = { seen: 10, total: 10_000_000, peak: 1_000_000 };
    let text = '';
    let most = 0;
    for (let age = 40 * 144; age >= 0; age -= 1) {
      const block = LAST_BLOCK - age;
      const part = { ...recordOfBlock(block, block * BLOCK_MINUTES, worst), forgottenAt: 1000 };
      text = encodeRecord(foldRecord(joinRecords(decodeRecord(text), part), block * BLOCK_MINUTES + 9));
      most = Math.max(most, text.length);
    }
    const { forgottenAt, first, levels } = decodeRecord(text);
    expect(levels.map(({ size }) => size)).to.deep.equal([12, 166, 23]);
    // The first minute is older than all that is kept, and the mark as large as it can be.
    const longest = encodeRecord({ forgottenAt: Math.max(forgottenAt, first), first, levels });
    expect(Math.max(most, longest.length)).to.be.at.most(1500);
  });

  it('has the hours of the last seven days, and days before them', () => {
    const midnight = Math.floor(NOW / DAY_MINUTES) * DAY_MINUTES;
    const parts = [0, 1, 6, 7, 29, 30].map((days) => {
      const block = (midnight - days * DAY_MINUTES) / BLOCK_MINUTES;
      return recordOfBlock(block, block * BLOCK_MINUTES, { seen: 10, total: 25, peak: 9 });
    });
    const [, hours, days] = decodeRecord(kept(parts, midnight)).levels;
    const daysAgo = (minutes: number) => (number: number) => (midnight - number * minutes) / DAY_MINUTES;
    // That of today is a block still.
    expect([...hours!.keys()].map(daysAgo(60))).to.deep.equal([6, 1]);
    expect([...days!.keys()].map(daysAgo(DAY_MINUTES))).to.deep.equal([29, 7]);
    expect([...days!.values()]).to.deep.include({ seen: 10, total: 30, peak: 9 });
  });

  it('has nothing of what was forgotten, whoever knows it still', () => {
    fc.assert(
      fc.property(blocks, blocks, fc.nat({ max: 40 * 144 }), (older, newer, age) => {
        const forgotten = { ...EMPTY, forgottenAt: (LAST_BLOCK - age) * BLOCK_MINUTES };
        const before = older.map(([more, seen]) => partOf([age + 1 + more, seen]));
        const since = newer.filter(([at]) => at <= age).map(partOf);
        const stale = foldRecord(before.reduce(joinRecords, EMPTY), NOW);
        const expected = kept([forgotten, ...since]);
        expect(kept([...before, forgotten, ...since])).to.equal(expected);
        if (since.length === 0)
          expect(kept([decodeRecord(kept([stale, forgotten])), stale])).to.equal(expected);
      }),
      { numRuns: runs(200) },
    );
  });

  it('may be dropped once nothing is left of it, and a mark after a day', () => {
    const part = partOf([0, { seen: 1, total: 1, peak: 1 }]);
    const overAt = (record: ServerRecord, days: number): boolean =>
      isOver(foldRecord(record, NOW + days * DAY_MINUTES), NOW + days * DAY_MINUTES);
    expect([29, 30].map((days) => overAt(part, days))).to.deep.equal([false, true]);
    const mark = { ...EMPTY, forgottenAt: NOW };
    expect([1, 2].map((days) => overAt(mark, days))).to.deep.equal([false, true]);
  });

  it('of damaged bytes is empty, or of a form that can be stored', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const text = Buffer.from(bytes).toString('latin1');
        const stored = encodeRecord(foldRecord(decodeRecord(text), NOW));
        expect(stored.length).to.be.below(8192);
        expect(isEmpty(decodeRecord(undefined))).to.equal(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
