/** The history as the overview shows it: one place for each minute or hour of a range. Times are ms since the epoch. */

import { RANGES, type HistoryRange } from '../address/history-ranges.ts';
import { getJson, type Answers } from '../connection/get-json.ts';
import { useMemo, useState } from 'preact/hooks';
import { useRepeated } from '../connection/use-repeated.ts';

export type KnownPoint = Answers['History']['points'][number];

const MINUTE_MS = 60_000;

export const STEP_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS } as const;
export type PointStep = keyof typeof STEP_MS;

/** How long the service keeps minutes. */
export const MINUTES_KEPT_MS = RANGES['48h'].lengthMs;

/** The known points of one step, by the beginning of their minute or hour. */
export type KnownPoints = ReadonlyMap<number, KnownPoint>;

/** The shortest range that holds all known minutes, up to the longest range of minutes. */
export function rangeOf(minutes: KnownPoints, now: number): HistoryRange {
  const first = Math.min(...minutes.keys());
  const end = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  return (['1h', '6h'] as const).find((range) => first >= end - RANGES[range].lengthMs) ?? '48h';
}

/** The points known before and the new ones, without those before `from`. */
export function addPoints(known: KnownPoints, points: readonly KnownPoint[], from: number): KnownPoints {
  const all = new Map(known);
  for (const point of points) all.set(Date.parse(point.time), point);
  for (const time of all.keys()) if (time < from) all.delete(time);
  return all;
}

/** One value for each minute or hour, or for each day of a long range; null where there is no point. */
export interface ChartColumns {
  /** Beginnings, in seconds since the epoch, as the charts have them. */
  readonly times: number[];
  /** The means. */
  readonly servers: (number | null)[];
  /** The means. */
  readonly players: (number | null)[];
  readonly peakPlayers: (number | null)[];
}

/**
 * The points of a range that ends now, without the minute or hour that has not ended. They begin with the first known
 * point, and end with the last one.
 */
export function columnsOf(known: KnownPoints, range: HistoryRange, now: number): ChartColumns {
  const times = [...known.keys()].toSorted((one, other) => one - other);
  const steps = range === '400d' ? daysBefore(now, 400) : stepsBefore(now, range);
  const first = steps.findLastIndex((begin) => begin <= times[0]!);
  const last = steps.findLastIndex((begin) => begin <= times.at(-1)!);
  const beginnings = steps.slice(Math.max(0, first), last + 1);
  let place = 0;
  const points = beginnings.map((begin, index) => {
    while (times[place]! < begin) place += 1;
    const from = place;
    while (times[place]! < (beginnings[index + 1] ?? now)) place += 1;
    return times.slice(from, place).map((time) => known.get(time)!);
  });
  return {
    times: beginnings.map((begin) => begin / 1000),
    servers: points.map((some) => meanOf(some.map(({ servers }) => servers))),
    players: points.map((some) => meanOf(some.map(({ players }) => players))),
    peakPlayers: points.map((some) => mostOf(some.map((point) => point.peak_players))),
  };
}

function stepsBefore(now: number, range: HistoryRange): readonly number[] {
  const stepMs = STEP_MS[RANGES[range].step];
  const count = RANGES[range].lengthMs / stepMs;
  const end = Math.floor(now / stepMs) * stepMs;
  return Array.from({ length: count }, (_, index) => end - (count - index) * stepMs);
}

/** The beginnings of the reader's days, that of today last. */
function daysBefore(now: number, count: number): readonly number[] {
  const today = new Date(now);
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()];
  return Array.from({ length: count }, (_, index) => +new Date(year, month, day - count + 1 + index));
}

/** A row of the table: the means and the peak of all values with one label; null where there is none. */
export interface HistoryRow {
  readonly label: string;
  readonly servers: number | null;
  readonly players: number | null;
  readonly peakPlayers: number | null;
}

/** A row for each label, the latest first. `labelOf`: of a beginning, in ms since the epoch. */
export function rowsOf(columns: ChartColumns, labelOf: (at: number) => string): readonly HistoryRow[] {
  const places = new Map<string, number[]>();
  for (const [place, time] of columns.times.entries()) {
    const label = labelOf(time * 1000);
    const same = places.get(label) ?? [];
    if (columns.servers[place] !== null) same.push(place);
    places.set(label, same);
  }
  return [...places].toReversed().map(([label, same]) => {
    const valuesOf = (column: readonly (number | null)[]): number[] => same.map((place) => column[place]!);
    return {
      label,
      servers: meanOf(valuesOf(columns.servers)),
      players: meanOf(valuesOf(columns.players)),
      peakPlayers: mostOf(valuesOf(columns.peakPlayers)),
    };
  });
}

function meanOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function mostOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

const REFRESH_MS = 60_000;
/** How many known points are requested again, since a replica may learn of a point late. */
const REPEATED_POINTS = 5;

export interface HistoryStatus {
  /** Undefined before the first answer. */
  readonly points: KnownPoints | undefined;
  readonly hasFailed: boolean;
}

/** The points of the last `lengthMs`, kept up to date while the page is visible. */
export function useHistory(step: PointStep, lengthMs: number): HistoryStatus {
  const [status, setStatus] = useState<{ readonly refresh: unknown; readonly points: KnownPoints }>();
  const refresh = useMemo(() => {
    let known: KnownPoints = new Map();
    return async function update(signal: AbortSignal): Promise<void> {
      const first = Date.now() - lengthMs - STEP_MS[step];
      const latest = Math.max(...known.keys());
      const from = Math.max(first, latest - REPEATED_POINTS * STEP_MS[step]);
      const query = `step=${step}&from=${new Date(from).toISOString()}`;
      const { points } = await getJson<Answers['History']>(`history?${query}`, signal);
      known = addPoints(known, points, first);
      setStatus({ refresh: update, points: known });
    };
  }, [step, lengthMs]);
  const hasFailed = useRepeated(refresh, REFRESH_MS);
  return { points: status?.refresh === refresh ? status.points : undefined, hasFailed };
}
