/** The head of a column: its name, and a button to sort by it. */

import type { JSX } from 'preact';
import { firstOrder, toggledSort } from '../address/sort-order.ts';
import type { Column } from './columns.ts';
import { usePage } from '../parts/page-context.ts';

export function HeadCell({ column }: { readonly column: Column }): JSX.Element {
  const { state, navigate, texts } = usePage();
  const { name, isHeadHidden, sortField } = column;
  const title = texts.columns[name];
  if (sortField === undefined) {
    return (
      <th role="columnheader" scope="col" class={name}>
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
      <button type="button" onClick={() => navigate({ sort: toggledSort(state.sort, sortField) })}>
        {title}
      </button>
    </th>
  );
}
