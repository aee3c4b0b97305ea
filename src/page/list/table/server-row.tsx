/** A row of the table, which is rendered again only when it has changed, and then shows what has changed. */

import './server-row.css';
import { Component, type JSX } from 'preact';
import type { ListedRow } from '../../../model/view/listed-row.ts';
import { COLUMNS, LIGHT_COLUMNS, type Column } from './columns.ts';
import { CELLS, type CellOptions } from './row-cells.tsx';

export interface ServerRowOptions extends CellOptions {
  /** The place of the row in the list, from 0. */
  readonly index: number;
  /** Whether Tab goes to its links and buttons. */
  readonly isActive: boolean;
  /** Whether it is rendered with its name and its players alone, since it may soon be out of view. */
  readonly isLight: boolean;
}

/** The options on which the rendering of a row depends, beside its server. */
const SHOWN = ['index', 'isActive', 'isLight', 'isFavourite', 'isCopied', 'surroundings'] as const;

/** The component of one server, whose id is its key. */
export class ServerRow extends Component<ServerRowOptions> {
  /**
   * 0 and 1 alternate with each shown version, since an animation restarts only under another name. Changes before the
   * first rendering are no news to the reader.
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
