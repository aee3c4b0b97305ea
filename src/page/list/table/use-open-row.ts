/**
 * The row of the server whose details are shown. The details follow the focus from row to row, and the row gets the
 * focus when they are closed.
 */

import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Rows } from '../../connection/messages.ts';
import { usePage } from '../../parts/page-context.ts';

export interface OpenRow {
  /** The index of the row; undefined if it is not known, or no details are shown. */
  readonly openIndex: () => number | undefined;
  /** Shows the server of this row in the details, if details are shown. */
  readonly openRow: (index: number) => void;
}

/** `focusRow`: puts the focus on the row at an index. */
export function useOpenRow(rows: Rows, focusRow: (index: number) => void): OpenRow {
  const { state, navigate } = usePage();
  const { serverId } = state;
  /** `id`: undefined until the row arrives. */
  const place = useRef<{ readonly id: string | undefined; readonly index: number }>(undefined);
  const shown = useRef(serverId);

  const found = serverId === undefined ? -1 : rows.rows.findIndex(({ server }) => server.id === serverId);
  const openRow = (index: number): void => {
    if (shown.current === undefined) return;
    const id = rows.rows[index - rows.start]?.server.id;
    place.current = { id, index };
    // A step back leaves the details, and does not go through all servers that were read.
    if (id !== undefined) navigate({ serverId: id }, { replace: true });
  };
  useLayoutEffect(() => {
    const awaited = place.current?.id === undefined ? place.current?.index : undefined;
    if (awaited !== undefined && serverId !== undefined) return openRow(awaited);
    if (found !== -1) place.current = { id: serverId, index: rows.start + found };
    else if (serverId !== undefined && place.current?.id !== serverId) place.current = undefined;
  }, [rows, serverId, found]);
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = serverId;
    if (before === undefined || serverId !== undefined) return;
    const index = place.current?.index;
    place.current = undefined;
    const { activeElement } = document;
    const isNowhereElse = activeElement === document.body || activeElement?.closest('.row') !== null;
    if (index !== undefined && isNowhereElse) focusRow(index);
  }, [serverId]);
  return { openIndex: () => place.current?.index, openRow };
}
