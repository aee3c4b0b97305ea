/** The head of the table: the names of its columns, as links to the list in their order, and the order that it has. */

import type { JSX, RefObject } from 'preact';
import { DEFAULT_SORT, firstOrder, ORDERS, toggledSort, type SortField } from '../../address/sort-order.ts';
import { usePage } from '../../parts/page-context.ts';
import { PageLink } from '../../parts/page-link.tsx';
import type { RowPart } from './row-parts.ts';

export interface TableHeadOptions {
  readonly parts: ReadonlySet<RowPart>;
  readonly head?: RefObject<HTMLTableSectionElement | null>;
}

export function TableHead({ parts, head }: TableHeadOptions): JSX.Element {
  const { state, texts } = usePage();
  const { field } = firstOrder(state.sort);
  const order = ORDERS.find((each) => each === state.sort);
  // An order by a field without a column of its own.
  const other = order !== undefined && !['name', 'region', 'version', 'players'].includes(field);
  return (
    <thead role="rowgroup" ref={head ?? null}>
      <tr role="row" aria-rowindex={1}>
        {parts.has('favourite') && <HiddenHead name="favourite" />}
        <SortHead field="name">{other && <OrderNote text={texts.orders[order]} />}</SortHead>
        {parts.has('region') && <SortHead field="region" />}
        {parts.has('version') && <SortHead field="version" />}
        {parts.has('players') && (
          <SortHead field="players">
            {state.sort === DEFAULT_SORT && <OrderNote text={texts.orders[DEFAULT_SORT]} />}
          </SortHead>
        )}
        {parts.has('actions') && <HiddenHead name="actions" />}
      </tr>
    </thead>
  );
}

function HiddenHead({ name }: { readonly name: 'favourite' | 'actions' }): JSX.Element {
  const { texts } = usePage();
  return (
    <th role="columnheader" scope="col" class={name}>
      <span class="visually-hidden">{texts.columns[name]}</span>
    </th>
  );
}

function OrderNote({ text }: { readonly text: string }): JSX.Element {
  return <span class="order-note">{text} </span>;
}

interface SortHeadOptions {
  readonly field: SortField;
  readonly children?: JSX.Element | false | undefined;
}

function SortHead({ field, children }: SortHeadOptions): JSX.Element {
  const { state, texts } = usePage();
  const order = firstOrder(state.sort);
  const sorted = order.isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" class={field} aria-sort={order.field === field ? sorted : undefined}>
      {children}
      <PageLink to={{ sort: toggledSort(state.sort, field) }}>{texts.columns[field]}</PageLink>
    </th>
  );
}
