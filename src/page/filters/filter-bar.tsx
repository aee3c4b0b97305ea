/** The bar that narrows the list: the search, the filters, and those that are active. */

import './filter-bar.css';
import type { JSX, RefObject } from 'preact';
import { without } from './edit-filters.ts';
import { FilterChips } from './filter-chips.tsx';
import { FILTER_PANEL_ID } from './filter-panel.tsx';
import { Icon } from '../parts/icon.tsx';
import { useListStatus, usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { SearchBox } from './search-box.tsx';

export interface FilterBarOptions {
  /** Whether the filters are shown. */
  readonly isOpen: boolean;
  /** The button that shows and hides them; embeds have none. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onToggle: () => void;
}

export function FilterBar({ isOpen, opener, onToggle }: FilterBarOptions): JSX.Element {
  const { settings, state, texts, navigate } = usePage();
  const { wrongFilters } = useListStatus();
  const active = without(state.filters, 'q').length;
  return (
    <search class="filter-bar">
      <div class="filter-line">
        {state.look.hasSearch && <SearchBox />}
        {!state.isEmbedded && (
          <>
            <button
              type="button"
              class="button"
              ref={opener}
              aria-expanded={isOpen}
              aria-controls={isOpen ? FILTER_PANEL_ID : undefined}
              onClick={onToggle}
            >
              {texts.filters.title(active)}
            </button>
            <button
              type="button"
              class="button"
              aria-pressed={state.isFavouritesOnly}
              onClick={() => navigate({ isFavouritesOnly: !state.isFavouritesOnly })}
            >
              <Icon name="star" />
              {texts.filters.favourites}
            </button>
            {settings.hasJoinCodes && (
              <PageLink to={{ joinCode: '' }} class="button">
                <Icon name="key" />
                {texts.join.open}
              </PageLink>
            )}
          </>
        )}
      </div>
      <FilterChips wrongFilters={wrongFilters} />
    </search>
  );
}
