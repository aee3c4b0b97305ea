/** The one row that Tab goes to. Arrow keys move it, and it follows its server when that moves. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Rows } from '../../connection/messages.ts';
import type { ListedRow } from '../../../model/view/listed-row.ts';

export interface ActiveRow {
  readonly index: number;
  /** The row as it was last known; undefined until it arrives. */
  readonly row: ListedRow | undefined;
}

export interface ActiveRowControl {
  readonly active: ActiveRow | undefined;
  /** Makes this row the active one, and focuses its link once it is rendered. */
  readonly focusRow: (index: number) => void;
  /** The row that gets the focus once it is rendered; undefined for none. */
  readonly awaited: () => number | undefined;
  /** Makes this row the active one, after the focus came to it by other ways. */
  readonly setActive: (index: number) => void;
}

export function useActiveRow(rows: Rows, body: RefObject<HTMLElement | null>): ActiveRowControl {
  const [chosen, setChosen] = useState<ActiveRow | undefined>(undefined);
  const awaited = useRef<number>(undefined);
  const rowAt = (index: number): ListedRow | undefined => rows.rows[index - rows.start];

  const id = chosen?.row?.server.id;
  const found = id === undefined ? -1 : rows.rows.findIndex(({ server }) => server.id === id);
  const index = found === -1 ? chosen?.index : rows.start + found;
  const active =
    index === undefined || index >= rows.total ? undefined : { index, row: rowAt(index) ?? chosen?.row };

  const focusIfDrawn = (at: number): void => {
    const link = body.current!.querySelector<HTMLElement>(`[data-index="${at}"] .name a`);
    if (link === null) return;
    awaited.current = undefined;
    link.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    if (awaited.current !== undefined && active !== undefined) focusIfDrawn(active.index);
  });

  const setActive = (next: number): void => setChosen({ index: next, row: rowAt(next) });
  return {
    active,
    setActive,
    awaited: () => awaited.current,
    focusRow: (next) => {
      awaited.current = next;
      setActive(next);
      // The next key may come before the next rendering.
      focusIfDrawn(next);
    },
  };
}
