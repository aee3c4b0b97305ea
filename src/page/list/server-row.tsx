/** A row of the table: drawn anew only when it has changed, and then it shows what has. */

import './server-row.css';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { ListedRow } from '../connection/messages.ts';
import { COLUMNS, type Column } from './columns.ts';
import { memo } from './memo.ts';
import { CELLS, type CellOptions } from './row-cells.tsx';

export interface ServerRowOptions extends CellOptions {
  /** Its place in the list, from 0. */
  readonly index: number;
  /** Whether Tab goes to its links and buttons. */
  readonly isActive: boolean;
}

export const ServerRow = memo(
  (options: ServerRowOptions): JSX.Element => {
    const { row, index, isActive } = options;
    const turn = useTurn(row.version);
    return (
      <tr
        role="row"
        aria-rowindex={index + 2}
        data-index={index}
        class={`row${row.isNew ? ' is-new' : ''}${row.isGone ? ' is-gone' : ''}${isActive ? ' is-active' : ''}`}
        style={{ '--index': index }}
      >
        {COLUMNS.map((column) => (
          <td
            role="cell"
            class={`${column.name}${changeClass(column, row, turn)}`}
            title={column.text?.(row.server)}
            key={column.name}
          >
            {column.text?.(row.server) ?? CELLS[column.name]?.(options, isActive ? 0 : -1)}
          </td>
        ))}
      </tr>
    );
  },
  (one, other) =>
    one.row.server.id === other.row.server.id &&
    one.row.version === other.row.version &&
    one.index === other.index &&
    one.isActive === other.isActive &&
    one.isFavourite === other.isFavourite &&
    one.isCopied === other.isCopied &&
    one.surroundings === other.surroundings,
);

/** 0 and 1 in turn with each version: an animation begins anew under another name alone. */
function useTurn(version: number): number {
  const last = useRef({ version, turn: 0 });
  if (last.current.version !== version) last.current = { version, turn: 1 - last.current.turn };
  return last.current.turn;
}

function changeClass({ fields }: Column, { changed }: ListedRow, turn: number): string {
  return changed.some((field) => fields.includes(field)) ? ` is-changed-${turn}` : '';
}
