/** The bar above the list: the search, the region that comes first, the filters, the favourites, and quick join. */

import type { JSX, RefObject } from 'preact';
import { RegionButton } from '../favourites/my-regions-dialog.tsx';
import { without } from '../filters/edit-filters.ts';
import { FILTER_PANEL_ID } from '../filters/filter-panel.tsx';
import { SearchBox } from '../filters/search-box.tsx';
import { QuickJoinButton } from '../join/quick-join-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

export interface ToolbarOptions {
  /** Whether the filters are shown. */
  readonly areFiltersOpen: boolean;
  /** The button that shows and hides them; embeds have none. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onToggleFilters: () => void;
}

export function Toolbar({ areFiltersOpen, opener, onToggleFilters }: ToolbarOptions): JSX.Element {
  const { settings, state, texts, navigate } = usePage();
  return (
    <search class="toolbar">
      {state.look.hasSearch && <SearchBox />}
      {!state.isEmbedded && (
        <>
          <RegionButton />
          <button
            type="button"
            class="button"
            ref={opener}
            aria-expanded={areFiltersOpen}
            aria-controls={areFiltersOpen ? FILTER_PANEL_ID : undefined}
            onClick={onToggleFilters}
          >
            <Icon name="filter" />
            <span>{texts.filters.title(without(state.filters, 'q').length)}</span>
          </button>
          <button
            type="button"
            class="button if-wide"
            aria-pressed={state.isFavouritesOnly}
            onClick={() => navigate((before) => ({ isFavouritesOnly: !before.isFavouritesOnly }))}
          >
            <Icon name="star" />
            <span class="text-if-wide">{texts.filters.favourites}</span>
          </button>
          {settings.hasJoinCodes && (
            <PageLink to={{ joinCode: '' }} class="button if-wide">
              <Icon name="key" />
              <span class="text-if-wide">{texts.join.open}</span>
            </PageLink>
          )}
        </>
      )}
      <QuickJoinButton />
    </search>
  );
}
