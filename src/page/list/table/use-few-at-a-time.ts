/**
 * Chooses the rows that are rendered in this frame. Rows that come while the page scrolls are rendered whole a few at a
 * time, so that no frame takes long; rows in view come first. Until then, and while the list passes by, rows have only
 * their names and players, so that no frame is without rows.
 */

import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import { isSameView } from '../../connection/list-client.ts';
import type { ListView, Rows } from '../../connection/messages.ts';
import type { ListedRow, RowRange } from '../../../model/view/listed-row.ts';
import type { ActiveRow } from './use-active-row.ts';
import type { RowWindow } from './use-row-window.ts';

/** The time of a frame for new rows, in ms; its other work comes on top. */
const FRAME_MS = 16;
/** How many new rows a frame renders whole: at first, at least, and at most. */
const FIRST_ROWS = 4;
const LEAST_ROWS = 3;
const MOST_ROWS = 12;

export interface DrawnRow {
  readonly index: number;
  readonly row: ListedRow;
  /** Whether the row has its name and its players alone. */
  readonly isLight: boolean;
}

export interface RowsToDraw extends Pick<RowWindow, 'inView' | 'drawn' | 'isPassing'> {
  readonly rows: Rows;
  /** A row that is rendered however far the page is scrolled, since it may have the focus. */
  readonly active: ActiveRow | undefined;
}

export function useFewAtATime({ rows, inView, drawn, isPassing, active }: RowsToDraw): readonly DrawnRow[] {
  const begunAt = performance.now();
  const most = useRef(FIRST_ROWS);
  const [, drawMore] = useReducer<number, void>((count) => count + 1, 0);
  const last = useRef<{ readonly view: ListView | undefined; readonly ids: ReadonlySet<string> }>({
    view: undefined,
    ids: new Set(),
  });

  // After a change of view, the visible rows are rendered at once, since they replace others.
  const { view, ids } = last.current;
  const isOther = view === undefined || !isSameView(view, rows.view);
  let left = isOther ? Math.max(FIRST_ROWS, inView.count) : isPassing ? 0 : most.current;
  let isComplete = true;
  const known: DrawnRow[] = [];
  const add = (index: number, row: ListedRow | undefined): void => {
    if (row === undefined) return;
    const isNew = !ids.has(row.server.id);
    const isLight = isNew && left === 0;
    if (isLight) isComplete = false;
    else if (isNew) left -= 1;
    known.push({ index, row, isLight });
  };
  for (const index of nearestFirst(inView, drawn)) add(index, rows.rows[index - rows.start]);
  const isOutside =
    active !== undefined && (active.index < drawn.start || active.index >= drawn.start + drawn.count);
  if (isOutside) add(active.index, active.row);
  known.sort((one, other) => one.index - other.index);

  const whole = known.filter(({ isLight }) => !isLight);
  last.current = { view: rows.view, ids: new Set(whole.map(({ row }) => row.server.id)) };
  const isFull = left === 0 && !isPassing;
  useLayoutEffect(() => {
    if (!isFull) return undefined;
    // A task runs after the frame.
    const timer = setTimeout(() => {
      most.current = nextMost(most.current, performance.now() - begunAt);
      if (!isComplete) drawMore();
    });
    return () => clearTimeout(timer);
  });
  return known;
}

/** Half as many rows after a frame that took too long; one more after a quick one. */
function nextMost(most: number, tookMs: number): number {
  if (tookMs > FRAME_MS) return Math.max(LEAST_ROWS, Math.floor(most / 2));
  return tookMs < FRAME_MS / 2 ? Math.min(most + 1, MOST_ROWS) : most;
}

/** The indexes of `drawn`: those in view, then those after, then those before. */
function nearestFirst({ start, count }: RowRange, drawn: RowRange): readonly number[] {
  const indexes = Array.from({ length: drawn.count }, (_, at) => drawn.start + at);
  const from = start - drawn.start;
  return [...indexes.slice(from, from + count), ...indexes.slice(from + count), ...indexes.slice(0, from)];
}
