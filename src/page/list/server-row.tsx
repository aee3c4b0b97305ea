/** A row of the table: drawn anew only when it has changed, and then it shows what has. */

import './server-row.css';
import { Component, type JSX } from 'preact';
import type { ListedRow } from '../../client/listed-row.ts';
import { COLUMNS, type Column } from './columns.ts';
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
  /** 0 and 1 in turn with each version: an animation begins anew under another name alone. */
  #turn = 0;

  override shouldComponentUpdate(next: ServerRowOptions): boolean {
    const isOther = next.row.version !== this.props.row.version;
    if (isOther) this.#turn = 1 - this.#turn;
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
        {COLUMNS.map((column) =>
          isLight && column.isInLightRow !== true ? (
            <td role="cell" class={column.name} key={column.name} />
          ) : (
            <td
              role="cell"
              class={`${column.name}${changeClass(column, row, this.#turn)}`}
              title={column.text?.(row.server)}
              key={column.name}
            >
              {column.text?.(row.server) ?? CELLS[column.name]?.(this.props, isActive ? 0 : -1)}
            </td>
          ),
        )}
      </tr>
    );
  }
}

function changeClass({ fields }: Column, { changed }: ListedRow, turn: number): string {
  return changed.some((field) => fields.includes(field)) ? ` is-changed-${turn}` : '';
}
