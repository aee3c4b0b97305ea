/** The head of the table: the names of its columns, as links to the list in their order. */

import type { ComponentChildren, JSX, RefObject } from 'preact';
import { firstOrder, toggledSort } from '../../address/sort-order.ts';
import { COLUMNS, type Column } from './columns.ts';
import { usePage } from '../../parts/page-context.ts';
import { PageLink } from '../../parts/page-link.tsx';

export interface TableHeadOptions {
  readonly head?: RefObject<HTMLTableSectionElement | null>;
  /** A button for all rows, in the head of the column of actions. */
  readonly actions?: ComponentChildren;
}

export function TableHead({ head, actions }: TableHeadOptions): JSX.Element {
  return (
    <thead role="rowgroup" ref={head ?? null}>
      <tr role="row" aria-rowindex={1}>
        {COLUMNS.map((column) => (
          <HeadCell column={column} key={column.name}>
            {column.name === 'actions' && actions}
          </HeadCell>
        ))}
      </tr>
    </thead>
  );
}

interface HeadCellOptions {
  readonly column: Column;
  readonly children: ComponentChildren;
}

function HeadCell({ column, children }: HeadCellOptions): JSX.Element {
  const { state, texts } = usePage();
  const { name, isHeadHidden, sortField } = column;
  const title = texts.columns[name];
  if (sortField === undefined) {
    return (
      // The label is the name alone, so that a button in the head is not read with each cell.
      <th role="columnheader" scope="col" class={name} aria-label={title}>
        {children}
        <span class={isHeadHidden ? 'visually-hidden' : ''}>{title}</span>
      </th>
    );
  }
  const order = firstOrder(state.sort);
  const isSorted = order.field === sortField;
  return (
    <th
      role="columnheader"
      scope="col"
      class={name}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <PageLink to={{ sort: toggledSort(state.sort, sortField) }}>{title}</PageLink>
    </th>
  );
}
