/**
 * The search and the active filters of the plain page. The search is a form that keeps the order and the other filters,
 * as far as a form can send them.
 */

import type { JSX } from 'preact';
import { decodeText, keptParts } from '../address/page-url.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { filterText } from '../filters/edit-filters.ts';
import { FilterChips } from '../filters/filter-chips.tsx';
import { SearchField } from '../filters/search-box.tsx';
import { usePage } from '../parts/page-context.ts';

/** A form would change the meaning of a comma between alternatives, and of an escaped star. */
const CANNOT_BE_SENT = /,|%2A/i;

/** `total`: how many servers match; undefined if that is not known. */
export function PlainSearch({ total }: { readonly total?: number }): JSX.Element {
  const { texts } = usePage();
  return (
    <div class="top">
      <search class="toolbar">
        <SearchForm />
        {total !== undefined && <p class="count muted">{texts.servers(total)}</p>}
      </search>
      <FilterChips wrongFilters={[]} />
    </div>
  );
}

function SearchForm(): JSX.Element | null {
  const { state, texts, root } = usePage();
  const { look, locked, filters, sort } = state;
  // A form that lost a locked filter would unlock the list.
  if (!look.hasSearch || locked.some(({ rawValue }) => CANNOT_BE_SENT.test(rawValue))) return null;
  const others = [
    ...filters.filter(({ name }) => name !== 'q'),
    ...(sort === DEFAULT_SORT ? [] : [{ name: 'sort', rawValue: sort }]),
  ];
  const kept = [
    ...keptParts(state).map((part) => part.split(/=(.*)/s, 2).map(decodeText)),
    ...others
      .filter(({ rawValue }) => !CANNOT_BE_SENT.test(rawValue))
      .map(({ name, rawValue }) => [name, decodeText(rawValue)]),
  ];
  return (
    <form class="plain-search" action={`${root}browse`}>
      {kept.map(([name, value = '']) => (
        <input type="hidden" name={name} value={value} key={`${name}=${value}`} />
      ))}
      <SearchField name="q" value={filterText(filters, 'q')} />
      <button class="button">{texts.plain.search}</button>
    </form>
  );
}
