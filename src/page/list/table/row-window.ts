/** Which rows of a long list are drawn, and where. Rows are of one height; lengths are in px. */

import type { Rows } from '../../connection/messages.ts';
import type { RowRange } from '../../../model/view/listed-row.ts';

/** Rows of a list from a place on. */
export type KnownRows = Pick<Rows, 'start' | 'rows'>;

export interface Viewport {
  /** From the top of the first row to the top of what can be seen; negative while the first row is below it. */
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** The rows of which any part can be seen. */
export function rowsInView({ top, height, rowHeight }: Viewport, total: number): RowRange {
  const start = clamp(Math.floor(top / rowHeight), 0, total);
  const end = clamp(Math.ceil((top + height) / rowHeight), start, total);
  return { start, count: end - start };
}

/**
 * The range with `rows` more before and after it, widened to multiples of `step`, so that it changes once in that many
 * rows of scrolling. May end beyond the last row.
 */
export function widened({ start, count }: RowRange, rows: number, step: number): RowRange {
  const from = Math.max(0, Math.floor((start - rows) / step) * step);
  const to = Math.ceil((start + count + rows) / step) * step;
  return { start: from, count: to - from };
}

/** Whether some row is in both. */
export function overlaps(one: RowRange, other: RowRange): boolean {
  return one.start < other.start + other.count && other.start < one.start + one.count;
}

export function isSameRange(one: RowRange, other: RowRange): boolean {
  return one.start === other.start && one.count === other.count;
}

/** How far to scroll so that the row is wholly in view; 0 if it is. */
export function scrollToShow(index: number, { top, height, rowHeight }: Viewport): number {
  const rowTop = index * rowHeight;
  if (rowTop < top) return rowTop - top;
  return Math.max(0, rowTop + rowHeight - (top + height));
}

/**
 * By how many rows the rows in view have moved: as most of those that are still there, since one may have another place
 * for itself. Undefined if none of them is.
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
