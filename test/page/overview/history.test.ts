import { expect } from 'chai';
import {
  addPoints,
  columnsOf,
  rangeOf,
  rowsOf,
  type KnownPoint,
  type KnownPoints,
} from '../../../src/page/overview/history.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NOON = Date.parse('2026-11-22T12:00:00Z');

function aPoint(at: number, players = 10): KnownPoint {
  return { time: new Date(at).toISOString(), servers: 2, players, peak_players: players + 5 };
}

/** Points of the minutes that end so many minutes before noon. */
function minutesAgo(...counts: readonly number[]): KnownPoints {
  return addPoints(
    new Map(),
    counts.map((count) => aPoint(NOON - (count + 1) * MINUTE_MS)),
    0,
  );
}

describe('the history of the page', () => {
  it('keeps what it knows, and forgets what is too old', () => {
    const known = addPoints(new Map(), [aPoint(NOON - HOUR_MS), aPoint(NOON)], 0);
    const later = addPoints(known, [aPoint(NOON), aPoint(NOON + MINUTE_MS)], NOON);
    expect([...later.keys()]).to.deep.equal([NOON, NOON + MINUTE_MS]);
  });

  it('begins with the shortest range that has all minutes', () => {
    const now = NOON + 30_000;
    expect(rangeOf(new Map(), now)).to.equal('1h');
    expect(rangeOf(minutesAgo(0, 59), now)).to.equal('1h');
    expect(rangeOf(minutesAgo(0, 60), now)).to.equal('6h');
    expect(rangeOf(minutesAgo(359), now)).to.equal('6h');
    expect(rangeOf(minutesAgo(360), now)).to.equal('48h');
    expect(rangeOf(minutesAgo(48 * 60), now)).to.equal('48h');
  });

  it('begins with the first known minute of a range and ends with the last, and leaves gaps empty', () => {
    const columns = columnsOf(minutesAgo(1, 3, 5), '1h', NOON + 30_000);
    expect(columns.times).to.deep.equal([6, 5, 4, 3, 2].map((ago) => (NOON - ago * MINUTE_MS) / 1000));
    expect(columns.servers).to.deep.equal([2, null, 2, null, 2]);
    expect(columns.players).to.deep.equal([10, null, 10, null, 10]);
    expect(columns.peakPlayers).to.deep.equal([15, null, 15, null, 15]);
  });

  it('has no minute before the range, and nothing without points', () => {
    const { times } = columnsOf(minutesAgo(0, 59, 60), '1h', NOON + 30_000);
    expect(times).to.have.length(60);
    expect(times[0]).to.equal((NOON - HOUR_MS) / 1000);
    expect(columnsOf(new Map(), '1h', NOON).times).to.deep.equal([]);
  });

  it('shows 400 days by the days of the reader, with their means and peaks', () => {
    const midnight = new Date(2026, 10, 21).getTime();
    const hours = [aPoint(midnight - HOUR_MS, 99), aPoint(midnight, 10), aPoint(midnight + 23 * HOUR_MS, 20)];
    const columns = columnsOf(addPoints(new Map(), hours, 0), '400d', midnight + 30 * HOUR_MS);
    expect(columns.times.at(-1)).to.equal(midnight / 1000);
    expect(columns.players).to.deep.equal([99, 15]);
    expect(columns.peakPlayers).to.deep.equal([104, 25]);
  });

  it('makes a table of it, the latest first, in which a row without points says so', () => {
    const columns = columnsOf(minutesAgo(0, 1, 59), '1h', NOON);
    const rows = rowsOf(columns, (at) => new Date(at - (at % (20 * MINUTE_MS))).toISOString().slice(11, 16));
    expect(rows).to.deep.equal([
      { label: '11:40', servers: 2, players: 10, peakPlayers: 15 },
      { label: '11:20', servers: null, players: null, peakPlayers: null },
      { label: '11:00', servers: 2, players: 10, peakPlayers: 15 },
    ]);
  });
});
