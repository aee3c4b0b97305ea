/** What the axis of time of a chart says. */

import type { Formats } from '../texts/formats.ts';

const DAY_SECONDS = 86_400;

/** A label for each mark. `marks`, `everySeconds`: in seconds since the epoch, and between two of them. */
export function timeLabels(
  marks: readonly number[],
  everySeconds: number,
  { time, day, month }: Pick<Formats, 'time' | 'day' | 'month'>,
): string[] {
  return marks.map((mark) => {
    const at = mark * 1000;
    if (everySeconds >= 28 * DAY_SECONDS) return month(at);
    return everySeconds >= DAY_SECONDS || isMidnight(at) ? day(at) : time(at);
  });
}

function isMidnight(at: number): boolean {
  const date = new Date(at);
  return date.getHours() === 0 && date.getMinutes() === 0;
}
