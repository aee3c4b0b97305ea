/** How points of the history are made, and how they come together. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  FARTHEST_POINT_MS,
  HISTORY_STEPS,
  hoursOver,
  mergePoints,
  MinuteSampler,
  withoutFuture,
  type HistoryPoint,
} from '../../src/registry/history-record.ts';
import { runs } from '../support/runs.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START = Date.UTC(2026, 0, 1);

/** Of so many minutes after the start. What a replica tells of a minute is always the same. */
function pointAt(minute: number): HistoryPoint {
  return { time: START + minute * MINUTE_MS, servers: minute, players: 2 * minute, peak: 3 * minute };
}

function mergeAll(parts: readonly number[][]): readonly HistoryPoint[] {
  return parts.reduce<readonly HistoryPoint[]>(
    (known, minutes) => mergePoints('minute', known, minutes.map(pointAt)),
    [],
  );
}

/** `count`: how many game servers the list shows, with ten players each; none if it is not current. */
function take(sampler: MinuteSampler, second: number, count?: number): HistoryPoint | undefined {
  const shown = count === undefined ? undefined : { count, players: 10 * count };
  return sampler.take(START + second * 1000, shown);
}

describe('the points of a history', () => {
  it('are the same however often and in whatever order they are told', () => {
    const minute = fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 4000 }));
    const told = fc.array(fc.array(minute, { maxLength: 40 }), { maxLength: 6 });
    const run = fc.tuple(fc.nat({ max: 1000 }), told).chain(([first, parts]) =>
      fc.record({
        // So long that the oldest points are left out.
        parts: fc.constant([Array.from({ length: 2880 }, (_, i) => first + i), ...parts]),
        order: fc.shuffledSubarray([...parts.keys(), parts.length], { minLength: parts.length + 1 }),
        repeated: fc.array(fc.nat({ max: parts.length }), { maxLength: 4 }),
      }),
    );
    fc.assert(
      fc.property(run, ({ parts, order, repeated }) => {
        const all = new Set(parts.flat());
        const expected = [...all].toSorted((a, b) => a - b).slice(-HISTORY_STEPS.minute.most);
        const shuffled = [...order, ...repeated].map((part) => parts[part]!);
        expect(mergeAll(shuffled)).to.deep.equal(expected.map(pointAt));
      }),
      { numRuns: runs(30) },
    );
  });

  it('stay as they are, and are the very same array if nothing is new', () => {
    const known = mergePoints('minute', [], [pointAt(1), pointAt(2)]);
    expect(mergePoints('minute', known, [{ ...pointAt(2), servers: 9 }])).to.equal(known);
  });

  it('are left out if they lie more than a day ahead', () => {
    const ahead = { ...pointAt(0), time: START + FARTHEST_POINT_MS + MINUTE_MS };
    const near = { ...pointAt(0), time: START + FARTHEST_POINT_MS };
    expect(withoutFuture([pointAt(0), near, ahead], START)).to.deep.equal([pointAt(0), near]);
  });
});

describe('the point of an hour', () => {
  const minutes = [0, 1, 59, 60].map(pointAt);

  it('has the means of its minutes, rounded, and the greatest peak', () => {
    expect(hoursOver(minutes, [], START + HOUR_MS)).to.deep.equal([
      { time: START, servers: 20, players: 40, peak: 177 },
    ]);
  });

  it('is made once, and not before the hour is over', () => {
    expect(hoursOver(minutes, [], START + HOUR_MS - 1)).to.deep.equal([]);
    const hours = hoursOver(minutes, [], START + HOUR_MS);
    expect(hoursOver(minutes, hours, START + 2 * HOUR_MS).map(({ time }) => time)).to.deep.equal([
      START + HOUR_MS,
    ]);
  });
});

describe('the point of a minute', () => {
  it('has the means of its samples, rounded, and the most players at once', () => {
    const sampler = new MinuteSampler(1000);
    for (let second = 0; second < 60; second += 1) take(sampler, second, second < 59 ? 1 : 31);
    expect(take(sampler, 60, 7)).to.deep.equal({ time: START, servers: 2, players: 15, peak: 310 });
  });

  for (const [samples, what] of [
    [29, 'is missing'],
    [30, 'is there'],
  ] as const) {
    it(`${what} if the list was known to be current in ${samples} of 60 seconds`, () => {
      const sampler = new MinuteSampler(1000);
      for (let second = 0; second < 60; second += 1) take(sampler, second, second < samples ? 1 : undefined);
      expect(take(sampler, 60, 1) !== undefined).to.equal(samples >= 30);
    });
  }

  it('is of its own time, if the clock is set ahead or back', () => {
    const sampler = new MinuteSampler(1000);
    for (let second = 0; second < 60; second += 1) take(sampler, second, 1);
    expect(take(sampler, 6000, 1)).to.include({ time: START });
    for (let second = 6001; second < 6059; second += 1) take(sampler, second, 1);
    expect(take(sampler, -30, 1)).to.include({ time: START + 100 * MINUTE_MS });
  });
});
