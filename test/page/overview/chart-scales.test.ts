/** The marks and lines of a chart. */

import { expect } from 'chai';
import { assert, nat, property } from 'fast-check';
import { pathsOf, timeMarks, valueMarks } from '../../../src/page/overview/chart-scales.ts';

const SCALES = { x: (place: number) => place, y: (value: number) => 100 - value, bottom: 100 };

describe('the values beside a chart', () => {
  it('are whole, round, and few', () => {
    assert(
      property(nat({ max: 5_000_000 }), (high) => {
        const { top, marks } = valueMarks(high);
        expect(top).to.be.at.least(high);
        expect(marks).to.have.length.within(2, 7);
        expect(marks[0]).to.equal(0);
        expect(marks[1]!.toString()).to.match(/^[125]0*$/);
        expect(marks.at(-1)).to.be.at.most(top);
      }),
    );
  });
});

describe('the times below a chart', () => {
  const HOUR = 3600;
  const NOON = Date.UTC(2026, 10, 22, 12, 7) / 1000;

  for (const [range, most] of [
    [HOUR, 8],
    [48 * HOUR, 8],
    [48 * HOUR, 3],
    [30 * 24 * HOUR, 8],
    [30 * 24 * HOUR, 2],
  ] as const)
    it(`are round and no more than ${most} of ${range / HOUR} hours`, () => {
      const { marks, everySeconds } = timeMarks(NOON - range, NOON, most);
      expect(marks).to.have.length.within(1, most + 1);
      const offset = new Date(marks[0]! * 1000).getTimezoneOffset() * 60;
      for (const mark of marks) {
        expect((mark - offset) % Math.min(everySeconds, 24 * HOUR)).to.equal(0);
        expect(mark).to.be.within(NOON - range, NOON);
      }
    });

  it('are beginnings of months where days would be too many', () => {
    const { marks } = timeMarks(NOON - 400 * 24 * HOUR, NOON, 8);
    expect(marks).to.have.length.within(6, 8);
    expect(marks.map((mark) => new Date(mark * 1000).getDate())).to.deep.equal(marks.map(() => 1));
  });
});

describe('the line of a chart', () => {
  it('ends where there is no value, and begins again', () => {
    const { line, area } = pathsOf([1, 2, null, 3, 4], { ...SCALES, columns: 100 });
    expect(line).to.equal('M0,99L1,98M3,97L4,96');
    expect(area).to.equal('M0,100L0,99L1,98L1,100ZM3,100L3,97L4,96L4,100Z');
  });

  it('has a point for a value alone', () => {
    expect(pathsOf([null, 5, null], { ...SCALES, columns: 100 }).line).to.equal('M1,95L1,95');
  });

  it('is empty without values', () => {
    expect(pathsOf([null, null], { ...SCALES, columns: 100 })).to.deep.equal({ line: '', area: '' });
    expect(pathsOf([], { ...SCALES, columns: 0 })).to.deep.equal({ line: '', area: '' });
  });

  it('keeps the highest and the lowest of many values in a column', () => {
    const values = Array.from({ length: 1000 }, (_, place) => (place === 517 ? 90 : place === 518 ? 1 : 50));
    const { line } = pathsOf(values, { ...SCALES, columns: 100 });
    expect(line).to.include('510,99L510,10');
    expect(line.split('L')).to.have.length(101);
  });
});
