import { expect } from 'chai';
import {
  addPoints,
  columnsOf,
  findOutages,
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

  it('has a place for each minute of a range, and leaves those empty that have no point', () => {
    const columns = columnsOf(minutesAgo(0, 2, 59, 60), '1h', NOON + 30_000);
    expect(columns.times).to.have.length(60);
    expect(columns.times[0]).to.equal((NOON - HOUR_MS) / 1000);
    expect(columns.times.at(-1)).to.equal((NOON - MINUTE_MS) / 1000);
    expect(columns.players.slice(-4)).to.deep.equal([null, 10, null, 10]);
    expect(columns.peakPlayers.filter((value) => value !== null)).to.deep.equal([15, 15, 15]);
    expect(columns.servers[0]).to.equal(2);
  });

  it('shows 400 days by the days of the reader, with their means and peaks', () => {
    const midnight = new Date(2026, 10, 21).getTime();
    const hours = [aPoint(midnight - HOUR_MS, 99), aPoint(midnight, 10), aPoint(midnight + 23 * HOUR_MS, 20)];
    const columns = columnsOf(addPoints(new Map(), hours, 0), '400d', midnight + 30 * HOUR_MS);
    expect(columns.times).to.have.length(400);
    expect(columns.times.at(-2)).to.equal(midnight / 1000);
    expect(columns.players.slice(-4)).to.deep.equal([null, 99, 15, null]);
    expect(columns.peakPlayers.slice(-4)).to.deep.equal([null, 104, 25, null]);
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

describe('the times without a current list', () => {
  it('are the gaps between minutes, the latest first', () => {
    expect(findOutages(minutesAgo(0, 1, 4, 6), NOON)).to.deep.equal([
      { from: NOON - 4 * MINUTE_MS, to: NOON - 2 * MINUTE_MS },
      { from: NOON - 6 * MINUTE_MS, to: NOON - 5 * MINUTE_MS },
    ]);
  });

  it('are none before the history begins, and none without one', () => {
    expect(findOutages(minutesAgo(0, 1, 2), NOON)).to.deep.equal([]);
    expect(findOutages(new Map(), NOON)).to.deep.equal([]);
  });

  it('last until now once a minute is overdue, and not before', () => {
    expect(findOutages(minutesAgo(0), NOON + 3 * MINUTE_MS - 1)).to.deep.equal([]);
    expect(findOutages(minutesAgo(0), NOON + 3 * MINUTE_MS)).to.deep.equal([{ from: NOON, to: undefined }]);
  });
});
