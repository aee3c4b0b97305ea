/**
 * The history of the list: how many game servers and players it showed, by the minute and by the hour. This file
 * defines its points and merges them. A point that is there stays, so that replicas can store the same points any
 * number of times and in any order.
 */

import type { Snapshot } from './snapshot/snapshot.ts';

/** The totals that the list showed at a moment, or on average over a while. */
interface Shown {
  readonly servers: number;
  /** How many players were in all of them. */
  readonly players: number;
  /** The most players at any moment. */
  readonly peak: number;
}

/** The totals of one minute or one hour: the rounded means of servers and players, and the peak. */
export interface HistoryPoint extends Shown {
  /** When the minute or the hour began, ms since the epoch: a multiple of its length. */
  readonly time: number;
}

/** Points in order, no time twice; never changed in place. A minute is missing if no replica had a current list. */
export type HistoryPoints = readonly HistoryPoint[];

export type HistoryStep = 'minute' | 'hour';

export type HistoryRecord = Readonly<Record<HistoryStep, HistoryPoints>>;

export interface StepLength {
  readonly ms: number;
  /** How many points are kept: the latest. */
  readonly most: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The steps of the history: 48 hours by the minute, and 400 days by the hour. */
export const HISTORY_STEPS: Readonly<Record<HistoryStep, StepLength>> = {
  minute: { ms: MINUTE_MS, most: 48 * 60 },
  hour: { ms: HOUR_MS, most: 400 * 24 },
};

/** A point that lies farther ahead than this was taken while a clock was wrong. */
export const FARTHEST_POINT_MS = 24 * HOUR_MS;

/** How often the list is sampled for the history, in ms. */
export const SAMPLE_INTERVAL_MS = 1000;

/** The beginning of the minute or hour of this time; both are ms since the epoch. */
export function beginningOf(step: HistoryStep, time: number): number {
  const { ms } = HISTORY_STEPS[step];
  return Math.floor(time / ms) * ms;
}

/** Adds those of `more` whose times are not known yet, and keeps the latest points. A known point stays as it is. */
export function mergePoints(step: HistoryStep, known: HistoryPoints, more: HistoryPoints): HistoryPoints {
  const times = new Set(known.map(({ time }) => time));
  const added: HistoryPoint[] = [];
  for (const point of more) {
    if (times.has(point.time)) continue;
    times.add(point.time);
    added.push(point);
  }
  if (added.length === 0) return known;
  return [...known, ...added].toSorted((a, b) => a.time - b.time).slice(-HISTORY_STEPS[step].most);
}

/** Drops the points that were taken while a clock was wrong. `now`: ms since the epoch. */
export function withoutFuture(points: HistoryPoints, now: number): HistoryPoints {
  const farthest = now + FARTHEST_POINT_MS;
  return (points.at(-1)?.time ?? 0) <= farthest ? points : points.filter(({ time }) => time <= farthest);
}

/** Summarizes the minutes of each hour that is over at `now`, ms since the epoch, and not among `hours`. */
export function hoursOver(minutes: HistoryPoints, hours: HistoryPoints, now: number): HistoryPoints {
  const present = beginningOf('hour', now);
  const known = new Set(hours.map(({ time }) => time));
  const parts = new Map<number, Shown[]>();
  for (const minute of minutes) {
    const hour = beginningOf('hour', minute.time);
    if (hour >= present || known.has(hour)) continue;
    const those = parts.get(hour);
    if (those === undefined) parts.set(hour, [minute]);
    else those.push(minute);
  }
  return [...parts].map(([time, those]) => summarize(time, those));
}

function summarize(time: number, parts: readonly Shown[]): HistoryPoint {
  const mean = (of: 'servers' | 'players'): number =>
    Math.round(parts.reduce((sum, part) => sum + part[of], 0) / parts.length);
  return {
    time,
    servers: mean('servers'),
    players: mean('players'),
    peak: parts.reduce((most, { peak }) => Math.max(most, peak), 0),
  };
}

/** Builds the points of minutes from samples of the list. */
export class MinuteSampler {
  readonly #fewest: number;
  #minute = -Infinity;
  #samples: Shown[] = [];

  /** `intervalMs`: the time between two samples. A minute with fewer than half of its samples gets no point. */
  constructor(intervalMs: number) {
    this.#fewest = MINUTE_MS / intervalMs / 2;
  }

  /**
   * Samples the list at `now`, ms since the epoch; `snapshot` is undefined if the list is not known to be current.
   * Returns the point of the minute before, if this call is the first of a new minute.
   */
  take(now: number, snapshot: Pick<Snapshot, 'count' | 'players'> | undefined): HistoryPoint | undefined {
    const minute = beginningOf('minute', now);
    let point: HistoryPoint | undefined;
    if (minute !== this.#minute) {
      if (this.#samples.length >= this.#fewest) point = summarize(this.#minute, this.#samples);
      this.#minute = minute;
      this.#samples = [];
    }
    if (snapshot !== undefined) {
      const { count, players } = snapshot;
      this.#samples.push({ servers: count, players, peak: players });
    }
    return point;
  }
}
