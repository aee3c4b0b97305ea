/**
 * The history of the list: how many game servers and players it showed, by the minute and by the hour. What a point
 * says, and how points come together: a point that is there stays, so that replicas can tell the same ones any number
 * of times and in any order.
 */

import type { Snapshot } from './snapshot/snapshot.ts';

/** What the list showed at a moment, or on average over a while. */
interface Shown {
  readonly servers: number;
  /** In all of them. */
  readonly players: number;
  /** The most players at any moment. */
  readonly peak: number;
}

/** What the list showed in one minute or one hour: the mean of servers and players, rounded, and the peak. */
export interface HistoryPoint extends Shown {
  /** When the minute or the hour began, ms since the epoch: a multiple of its length. */
  readonly time: number;
}

/**
 * In order, no time twice. A minute in which no replica had a current list is missing. Never changed, only replaced.
 */
export type HistoryPoints = readonly HistoryPoint[];

export type HistoryStep = 'minute' | 'hour';

export type HistoryRecord = Readonly<Record<HistoryStep, HistoryPoints>>;

export interface StepLength {
  readonly ms: number;
  /** So many points are kept, the latest. */
  readonly most: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** 48 hours by the minute, 400 days by the hour. */
export const HISTORY_STEPS: Readonly<Record<HistoryStep, StepLength>> = {
  minute: { ms: MINUTE_MS, most: 48 * 60 },
  hour: { ms: HOUR_MS, most: 400 * 24 },
};

/** A point that lies so far ahead was made while a clock was wrong. */
export const FARTHEST_POINT_MS = 24 * HOUR_MS;

/** How often the list is looked at for the history, in ms. */
export const SAMPLE_INTERVAL_MS = 1000;

/** When the minute or hour of this time began, all in ms since the epoch. */
export function beginningOf(step: HistoryStep, time: number): number {
  const { ms } = HISTORY_STEPS[step];
  return Math.floor(time / ms) * ms;
}

/** The known points and those of `more` whose times are not known, as far as they are kept. */
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

/** Without those that were made while a clock was wrong. `now`: ms since the epoch. */
export function withoutFuture(points: HistoryPoints, now: number): HistoryPoints {
  const farthest = now + FARTHEST_POINT_MS;
  return (points.at(-1)?.time ?? 0) <= farthest ? points : points.filter(({ time }) => time <= farthest);
}

/** The points of the hours that are over at `now`, ms since the epoch, and not among `hours`, from their minutes. */
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

/** Makes points of minutes from looks at the list. */
export class MinuteSampler {
  readonly #fewest: number;
  #minute = -Infinity;
  #samples: Shown[] = [];

  /** `intervalMs`: between two samples. A minute has no point if it has fewer than half of its samples. */
  constructor(intervalMs: number) {
    this.#fewest = MINUTE_MS / intervalMs / 2;
  }

  /**
   * Takes the list as it is at `now`, ms since the epoch; undefined if it is not known to be current. Returns the point
   * of the minute before, if that is over with this sample.
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
