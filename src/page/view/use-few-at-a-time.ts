/**
 * Which rows are drawn in this frame. Rows that come into view while the page scrolls are drawn a few at a time, so that
 * no frame takes long; those in view come first.
 */

import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { isSameView } from '../list-client.ts';
import type { ListedRow, ListView, RowRange, Rows } from '../messages.ts';
import type { ActiveRow } from './use-active-row.ts';

/** How long a frame with new rows shall take: what else it has to do comes on top. */
const FRAME_MS = 20;
/** New rows in a frame: to begin with, at least, and at most. */
const FIRST_ROWS = 6;
const LEAST_ROWS = 2;
const MOST_ROWS = 40;

export interface DrawnRow {
  readonly index: number;
  readonly row: ListedRow;
}

/** `active`: is drawn however far the page is scrolled, since it may have the focus. */
export function useFewAtATime(
  rows: Rows,
  inView: RowRange,
  drawn: RowRange,
  active: ActiveRow | undefined,
): readonly DrawnRow[] {
  const begunAt = performance.now();
  const most = useRef(FIRST_ROWS);
  const [, drawMore] = useReducer<number, void>((count) => count + 1, 0);
  const last = useRef<{ readonly view: ListView | undefined; readonly ids: ReadonlySet<string> }>({
    view: undefined,
    ids: new Set(),
  });

  // Another view is drawn at once: its rows take the place of others.
  const { view, ids } = last.current;
  const allowed = view !== undefined && isSameView(view, rows.view) ? most.current : Infinity;
  let left = allowed;
  let isComplete = true;
  const known: DrawnRow[] = [];
  const add = (index: number, row: ListedRow | undefined): void => {
    if (row === undefined) return;
    if (!ids.has(row.server.id)) {
      if (left === 0) {
        isComplete = false;
        return;
      }
      left -= 1;
    }
    known.push({ index, row });
  };
  for (const index of nearestFirst(inView, drawn)) add(index, rows.rows[index - rows.start]);
  const isOutside =
    active !== undefined && (active.index < drawn.start || active.index >= drawn.start + drawn.count);
  if (isOutside) add(active.index, active.row);
  known.sort((one, other) => one.index - other.index);

  last.current = { view: rows.view, ids: new Set(known.map(({ row }) => row.server.id)) };
  const isMeasured = left === 0;
  useLayoutEffect(() => {
    // As many as the machine draws in that time: a task runs after the frame.
    if (isMeasured) setTimeout(() => (most.current = nextMost(allowed, performance.now() - begunAt)));
    if (!isComplete) drawMore();
  });
  return known;
}

function nextMost(drawn: number, tookMs: number): number {
  const affordable = Math.round(drawn * Math.min(2, FRAME_MS / tookMs));
  return Math.min(Math.max(affordable, LEAST_ROWS), MOST_ROWS);
}

/** The indexes of `drawn`: those in view, then those after, then those before. */
function nearestFirst({ start, count }: RowRange, drawn: RowRange): readonly number[] {
  const indexes = Array.from({ length: drawn.count }, (_, at) => drawn.start + at);
  const from = start - drawn.start;
  return [...indexes.slice(from, from + count), ...indexes.slice(from + count), ...indexes.slice(0, from)];
}
