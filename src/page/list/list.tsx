/** The list: its bar, its rows, and its panels: the filters before it, and the details of a server behind it. */

import './list.css';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { listFilters } from '../address/page-url.ts';
import type { ListView } from '../connection/messages.ts';
import { FavouritesNotListed } from '../favourites/favourites-not-listed.tsx';
import { MyRegionsDialog } from '../favourites/my-regions-dialog.tsx';
import { useMyRegions } from '../favourites/my-regions.ts';
import { useListedFavourites } from '../favourites/use-listed-favourites.ts';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterPanel } from '../filters/filter-panel.tsx';
import { MissingLine } from '../missing/missing-line.tsx';
import { NearLine } from '../near/near-line.tsx';
import { useNear, useShownSort } from '../near/use-near.ts';
import { useListStatus, usePage } from '../parts/page-context.ts';
import { ServerSheet } from '../server/server-sheet.tsx';
import { EmptyResult } from './empty-result.tsx';
import { ServerTable } from './table/server-table.tsx';
import { Toolbar } from './toolbar.tsx';

const NO_REGIONS: readonly string[] = [];

export function List(): JSX.Element {
  const { settings, state, texts } = usePage();
  const { rows, feed, wrongFilters } = useListStatus();
  const filters = listFilters(state, settings.hiddenLabels);
  const { ids, notListed } = useListedFavourites(state.isFavouritesOnly);
  const only = state.isFavouritesOnly ? ids.join() : undefined;
  const { chosen } = useMyRegions();
  // A reader of an embedded page has not chosen regions there.
  const firstRegions = state.isEmbedded ? NO_REGIONS : chosen;
  const sort = useShownSort();
  const near = useNear().nearness?.measured;
  const view = useMemo<ListView>(
    () => ({ filters, sort, ids: only === undefined ? undefined : ids, firstRegions, near }),
    [filters, sort, only, firstRegions, near],
  );

  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closeFilters = (): void => {
    setFiltersOpen(false);
    opener.current!.focus();
  };
  return (
    <section class="list-view" aria-label={texts.list}>
      <div class="top">
        <Toolbar
          areFiltersOpen={areFiltersOpen}
          opener={opener}
          onToggleFilters={() => setFiltersOpen(!areFiltersOpen)}
        />
        <FilterChips wrongFilters={wrongFilters} />
      </div>
      <div class="list-body">
        {areFiltersOpen && <FilterPanel onClose={closeFilters} />}
        <div class="list-content" id="rows" tabIndex={-1}>
          <NearLine />
          {rows !== undefined && <ServerTable view={view} rows={rows} />}
          {rows === undefined && feed.is === 'connecting' && <p class="note">{texts.loading}</p>}
          {rows?.total === 0 && <EmptyResult />}
          {state.isFavouritesOnly && <FavouritesNotListed favourites={notListed} />}
          <MissingLine />
        </div>
        <ServerSheet />
      </div>
      {!state.isEmbedded && <MyRegionsDialog />}
    </section>
  );
}
