/** The arithmetic of a chart: the marks of its axes, their labels, and its lines as paths of SVG. */

import type { Formats } from '../texts/formats.ts';
/** Maps a value, or a place among the values, to px. */
export type Scale = (value: number) => number;

/** The lowest end of the axis of values, so that a chart of one server is no wall of colour. */
const LEAST_TOP = 4;
const MOST_VALUE_MARKS = 6;

/** Whole values at distances of 1, 2 or 5 and zeros. `top`: the end of the axis. */
export function valueMarks(high: number): { readonly top: number; readonly marks: readonly number[] } {
  const top = Math.max(LEAST_TOP, Math.ceil(high * 1.1));
  let step = 1;
  for (let each = 0; top / step > MOST_VALUE_MARKS; each += 1) step *= each % 3 === 1 ? 2.5 : 2;
  return { top, marks: Array.from({ length: Math.floor(top / step) + 1 }, (_, place) => place * step) };
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 4, 7, 14].map((each) => each * DAY),
];

export interface TimeMarks {
  /** The times in seconds since the epoch. */
  readonly marks: readonly number[];
  /** The distance between two marks; for months that of the shortest month. */
  readonly everySeconds: number;
}

/**
 * The times from `start` to `end` at which the reader's clock shows a round time, at most `most` of them, except for
 * months. In seconds since the epoch.
 */
export function timeMarks(start: number, end: number, most: number): TimeMarks {
  const everySeconds = STEPS.find((step) => (end - start) / step <= most);
  if (everySeconds === undefined) return monthMarks(start, end, most);
  const offset = -MINUTE * new Date(start * 1000).getTimezoneOffset();
  const marks: number[] = [];
  const first = Math.ceil((start + offset) / everySeconds) * everySeconds - offset;
  for (let time = first; time <= end; time += everySeconds) marks.push(time);
  return { marks, everySeconds };
}

function monthMarks(start: number, end: number, most: number): TimeMarks {
  const months = Math.max(1, Math.ceil((end - start) / (30 * DAY) / Math.max(1, most)));
  const first = new Date(start * 1000);
  const marks: number[] = [];
  for (let month = first.getMonth() + 1; ; month += months) {
    const time = new Date(first.getFullYear(), month, 1).getTime() / 1000;
    if (time > end) return { marks, everySeconds: 28 * DAY };
    marks.push(time);
  }
}

/** A label for each mark. `marks`: in seconds since the epoch. `everySeconds`: the distance between two. */
export function timeLabels(
  marks: readonly number[],
  everySeconds: number,
  { time, day, month }: Pick<Formats, 'time' | 'day' | 'month'>,
): string[] {
  return marks.map((mark) => {
    const at = mark * 1000;
    if (everySeconds >= 28 * DAY) return month(at);
    return everySeconds >= DAY || isMidnight(at) ? day(at) : time(at);
  });
}

function isMidnight(at: number): boolean {
  const date = new Date(at);
  return date.getHours() === 0 && date.getMinutes() === 0;
}

export interface PathOptions {
  readonly x: Scale;
  readonly y: Scale;
  /** The lower end of the area, in px. */
  readonly bottom: number;
  /** If there are more than two values for a column, each column shows the least and the greatest of its values. */
  readonly columns: number;
}

/** The line, and the area below it. Both end at a null, and begin again behind it. */
export function pathsOf(
  values: readonly (number | null)[],
  { x, y, bottom, columns }: PathOptions,
): { readonly line: string; readonly area: string } {
  const perColumn = Math.max(1, Math.floor(values.length / Math.max(1, columns)));
  let line = '';
  let area = '';
  /** The points since the last null. */
  let run: string[] = [];
  let runStart = 0;
  const endRun = (end: number): void => {
    if (run.length === 0) return;
    // A value between two nulls is a point: a line of no length with round ends.
    const path = run.length === 1 ? `${run[0]}L${run[0]}` : run.join('L');
    line += `M${path}`;
    area += `M${round(x(runStart))},${bottom}L${run.join('L')}L${round(x(end))},${bottom}Z`;
    run = [];
  };
  for (let start = 0; start < values.length; start += perColumn) {
    const known = values.slice(start, start + perColumn).filter((value) => value !== null);
    if (known.length === 0) {
      endRun(start - perColumn);
      continue;
    }
    if (run.length === 0) runStart = start;
    const [least, most] = [Math.min(...known), Math.max(...known)];
    for (const value of least === most ? [least] : [least, most])
      run.push(`${round(x(start))},${round(y(value))}`);
  }
  endRun(Math.floor((values.length - 1) / perColumn) * perColumn);
  return { line, area };
}

/** Rounded to tenths of a px, so that paths are shorter. */
function round(px: number): number {
  return Math.round(px * 10) / 10;
}
