/**
 * Which rows are drawn in this frame. Rows that come into view while the page scrolls are drawn a few at a time, so that
 * no frame takes long; those in view come first.
 */

import { useEffect, useReducer, useRef } from 'preact/hooks';
import { isSameView } from '../list-client.ts';
import type { ListedRow, ListView, RowRange, Rows } from '../messages.ts';
import type { ActiveRow } from './use-active-row.ts';

/** A frame in which so many rows are new takes less than 50 ms on a machine of a quarter of the speed of ours. */
const NEW_ROWS = 8;

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
  const [, drawMore] = useReducer<number, void>((count) => count + 1, 0);
  const last = useRef<{ readonly view: ListView | undefined; readonly ids: ReadonlySet<string> }>({
    view: undefined,
    ids: new Set(),
  });

  // Another view is drawn at once: its rows take the place of others.
  const { view, ids } = last.current;
  let left = view !== undefined && isSameView(view, rows.view) ? NEW_ROWS : Infinity;
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
  useEffect(() => {
    if (!isComplete) drawMore();
  });
  return known;
}

/** The indexes of `drawn`: those in view, then those after, then those before. */
function nearestFirst({ start, count }: RowRange, drawn: RowRange): readonly number[] {
  const indexes = Array.from({ length: drawn.count }, (_, at) => drawn.start + at);
  const from = start - drawn.start;
  return [...indexes.slice(from, from + count), ...indexes.slice(from + count), ...indexes.slice(0, from)];
}
