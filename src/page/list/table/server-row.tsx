/** A row of the table: drawn anew only when it has changed, and then it shows what has. */

import './server-row.css';
import { Component, type JSX } from 'preact';
import type { ListedRow } from '../../../model/view/listed-row.ts';
import { COLUMNS, LIGHT_COLUMNS, type Column } from './columns.ts';
import { CELLS, type CellOptions } from './row-cells.tsx';

export interface ServerRowOptions extends CellOptions {
  /** Its place in the list, from 0. */
  readonly index: number;
  /** Whether Tab goes to its links and buttons. */
  readonly isActive: boolean;
  /** It is drawn with its name and its players alone, since it may be out of view soon. */
  readonly isLight: boolean;
}

/** What a row is drawn of, beside its server. */
const SHOWN = ['index', 'isActive', 'isLight', 'isFavourite', 'isCopied', 'surroundings'] as const;

/** Stays for one server: its key is the id. */
export class ServerRow extends Component<ServerRowOptions> {
  /**
   * 0 and 1 in turn with each version that it has shown: an animation begins anew under another name alone. What
   * changed before the row was drawn is no news to the reader.
   */
  #turn: 0 | 1 | undefined;

  override shouldComponentUpdate(next: ServerRowOptions): boolean {
    const isOther = next.row.version !== this.props.row.version;
    if (isOther) this.#turn = this.#turn === 0 ? 1 : 0;
    return isOther || SHOWN.some((name) => next[name] !== this.props[name]);
  }

  override render(): JSX.Element {
    const { row, index, isActive, isLight, surroundings } = this.props;
    const isOpen = row.server.id === surroundings.openId;
    return (
      <tr
        role="row"
        aria-rowindex={index + 2}
        data-index={index}
        class={`row${row.isNew ? ' is-new' : ''}${row.isGone ? ' is-gone' : ''}${isActive ? ' is-active' : ''}${isOpen ? ' is-open' : ''}`}
        style={{ '--index': index }}
      >
        {(isLight ? LIGHT_COLUMNS : COLUMNS).map((column) => (
          <td
            role="cell"
            class={`${column.name}${changeClass(column, row, this.#turn)}`}
            title={column.text?.(row.server)}
            key={column.name}
          >
            {column.text?.(row.server) ?? CELLS[column.name]?.(this.props, isActive ? 0 : -1)}
          </td>
        ))}
      </tr>
    );
  }
}

function changeClass({ fields }: Column, { changed }: ListedRow, turn: number | undefined): string {
  if (turn === undefined) return '';
  return changed.some((field) => fields.includes(field)) ? ` is-changed-${turn}` : '';
}
