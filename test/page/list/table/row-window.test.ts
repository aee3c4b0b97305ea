import { expect } from 'chai';
import type { ListedRow } from '../../../../src/model/view/listed-row.ts';
import {
  movedBy,
  overlaps,
  rowsInView,
  scrollToShow,
  widened,
} from '../../../../src/page/list/table/row-window.ts';

const rowsOf = (ids: string): ListedRow[] =>
  ids.split('').map((id) => ({
    server: {
      id,
      host: 'h',
      name: id,
      port: 1,
      ip: '1.1.1.1',
      players: 0,
      max_players: 0,
      registered_at: '',
    },
    version: 1,
    changed: [],
    isNew: false,
    isGone: false,
  }));

const at = (top: number, total = 100): unknown => rowsInView({ top, height: 100, rowHeight: 40 }, total);

describe('the rows in view', () => {
  it('are those of which any part can be seen', () => {
    expect(at(0)).to.deep.equal({ start: 0, count: 3 });
    expect(at(39)).to.deep.equal({ start: 0, count: 4 });
    expect(at(40)).to.deep.equal({ start: 1, count: 3 });
    expect(at(60)).to.deep.equal({ start: 1, count: 3 });
  });

  it('begin with the first one while the page is scrolled above it', () => {
    expect(at(-70)).to.deep.equal({ start: 0, count: 1 });
    expect(at(-400)).to.deep.equal({ start: 0, count: 0 });
  });

  it('end with the last one', () => {
    expect(at(380, 10)).to.deep.equal({ start: 9, count: 1 });
    expect(at(4000, 10)).to.deep.equal({ start: 10, count: 0 });
    expect(at(0, 0)).to.deep.equal({ start: 0, count: 0 });
  });
});

describe('a widened range', () => {
  it('holds so many rows more on both sides, and begins and ends at steps', () => {
    expect(widened({ start: 50, count: 10 }, 8, 4)).to.deep.equal({ start: 40, count: 28 });
    expect(widened({ start: 51, count: 10 }, 8, 4)).to.deep.equal({ start: 40, count: 32 });
  });

  it('does not begin before the first row', () => {
    expect(widened({ start: 3, count: 10 }, 8, 4)).to.deep.equal({ start: 0, count: 24 });
  });
});

describe('scrolling to a row', () => {
  const viewport = { top: 100, height: 100, rowHeight: 40 };

  it('leaves the page where it is if the row is in view', () => {
    expect(scrollToShow(3, viewport)).to.equal(0);
    expect(scrollToShow(4, viewport)).to.equal(0);
  });

  it('goes as far as the row is out of view', () => {
    expect(scrollToShow(2, viewport)).to.equal(-20);
    expect(scrollToShow(0, viewport)).to.equal(-100);
    expect(scrollToShow(5, viewport)).to.equal(40);
  });
});

describe('the move of the rows in view', () => {
  const before = { start: 10, rows: rowsOf('abcdefgh') };
  const inView = { start: 12, count: 4 };
  const move = (start: number, ids: string): number | undefined =>
    movedBy(before, { start, rows: rowsOf(ids) }, inView);

  it('is nothing if they have their places', () => {
    expect(move(10, 'abcdefgh')).to.equal(0);
  });

  it('is that of most of them', () => {
    expect(move(10, 'xabcdefgh')).to.equal(1);
    expect(move(10, 'cxyabdefgh')).to.equal(2);
    expect(move(9, 'bcdefgh')).to.equal(-2);
  });

  it('is unknown if none of them is there any more', () => {
    expect(move(10, 'vwxyz')).to.equal(undefined);
  });
});

describe('two ranges of rows', () => {
  it('overlap if a row is in both', () => {
    const range = { start: 10, count: 5 };
    expect(overlaps(range, { start: 14, count: 5 })).to.equal(true);
    expect(overlaps(range, { start: 6, count: 5 })).to.equal(true);
    expect(overlaps(range, { start: 15, count: 5 })).to.equal(false);
    expect(overlaps(range, { start: 5, count: 5 })).to.equal(false);
  });
});
