/** Computes which rows of a long list are rendered, and where. Rows have equal heights; lengths are in px. */

import type { Rows } from '../../connection/messages.ts';
import type { RowRange } from '../../../model/view/listed-row.ts';

/** Some rows of a list, from a place on. */
export type KnownRows = Pick<Rows, 'start' | 'rows'>;

export interface Viewport {
  /** The way from the top of the first row to the top of the visible part; negative while the row is below that. */
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** The rows that are at least partly visible. */
export function rowsInView({ top, height, rowHeight }: Viewport, total: number): RowRange {
  const start = clamp(Math.floor(top / rowHeight), 0, total);
  const end = clamp(Math.ceil((top + height) / rowHeight), start, total);
  return { start, count: end - start };
}

/**
 * The range with `rows` more before and after it, widened to multiples of `step`, so that it changes once in that many
 * rows of scrolling. It may end beyond the last row.
 */
export function widened({ start, count }: RowRange, rows: number, step: number): RowRange {
  const from = Math.max(0, Math.floor((start - rows) / step) * step);
  const to = Math.ceil((start + count + rows) / step) * step;
  return { start: from, count: to - from };
}

/** Whether some row is in both ranges. */
export function overlaps(one: RowRange, other: RowRange): boolean {
  return one.start < other.start + other.count && other.start < one.start + one.count;
}

export function isSameRange(one: RowRange, other: RowRange): boolean {
  return one.start === other.start && one.count === other.count;
}

/** How far to scroll so that the whole row is visible; 0 if it is. */
export function scrollToShow(index: number, { top, height, rowHeight }: Viewport): number {
  const rowTop = index * rowHeight;
  if (rowTop < top) return rowTop - top;
  return Math.max(0, rowTop + rowHeight - (top + height));
}

/**
 * The number of rows by which the rows in view have moved. The move that most of the remaining rows share counts, since
 * single rows may have moved by themselves. Undefined if none remains.
 */
export function movedBy(before: KnownRows, after: KnownRows, inView: RowRange): number | undefined {
  const indexes = new Map(after.rows.map(({ server }, at) => [server.id, after.start + at]));
  const counts = new Map<number, number>();
  for (let index = inView.start; index < inView.start + inView.count; index++) {
    const id = before.rows[index - before.start]?.server.id;
    const moved = id === undefined ? undefined : indexes.get(id);
    if (moved !== undefined) counts.set(moved - index, (counts.get(moved - index) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0];
}

function clamp(value: number, from: number, to: number): number {
  return Math.min(Math.max(value, from), to);
}
