/** What narrows the list: the search, the filters, and those that are active. */

import type { JSX } from 'preact';
import './filter-bar.css';
import { useTexts } from './page-context.ts';

export function FilterBar(): JSX.Element {
  const { search } = useTexts();
  return (
    <search class="filter-bar">
      <input type="search" id="search" aria-label={search} />
    </search>
  );
}
