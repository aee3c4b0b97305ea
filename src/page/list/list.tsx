/** The list: its totals, how current it is, and its rows. */

import './list.css';
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListView } from '../connection/messages.ts';
import { allFilters, filtersText } from '../address/page-url.ts';
import { EmptyResult } from './empty-result.tsx';
import { FavouritesNotListed } from '../favourites/favourites-not-listed.tsx';
import { MyRegionsDialog } from '../favourites/my-regions-dialog.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { FilterPanel } from '../filters/filter-panel.tsx';
import { useListStatus, usePage } from '../parts/page-context.ts';
import { MissingLine } from '../missing/missing-line.tsx';
import { ServerTable } from './table/server-table.tsx';
import { StateLine } from './state-line.tsx';
import { Toolbar } from './toolbar.tsx';
import { useListedFavourites } from '../favourites/use-listed-favourites.ts';
import { useMyRegions } from '../favourites/my-regions.ts';

const NO_REGIONS: readonly string[] = [];

export function List(): JSX.Element {
  const { state, texts } = usePage();
  const { rows, feed } = useListStatus();
  const filters = filtersText(allFilters(state));
  const { ids, notListed } = useListedFavourites(state.isFavouritesOnly);
  const only = state.isFavouritesOnly ? ids.join() : undefined;
  const { chosen } = useMyRegions();
  // A reader of an embedded page has not chosen regions there.
  const firstRegions = state.isEmbedded ? NO_REGIONS : chosen;
  const view = useMemo<ListView>(
    () => ({ filters, sort: state.sort, ids: only === undefined ? undefined : ids, firstRegions }),
    [filters, state.sort, only, firstRegions],
  );

  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const closeFilters = (): void => {
    setFiltersOpen(false);
    opener.current!.focus();
  };

  // The head of the table stays below the bar, which is as high as its texts need.
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current!;
    const measured = new ResizeObserver(() => {
      // The height is exact to fractions of a pixel: otherwise rows would show through a gap.
      const { height } = element.getBoundingClientRect();
      element.parentElement!.style.setProperty('--bar-height', `${height}px`);
    });
    measured.observe(element);
    return () => measured.disconnect();
  }, []);
  return (
    <section class="list-view" aria-label={texts.list}>
      <FilterBar isOpen={areFiltersOpen} opener={opener} onToggle={() => setFiltersOpen(!areFiltersOpen)} />
      <div class="list-body">
        {areFiltersOpen && <FilterPanel onClose={closeFilters} />}
        <div class="list-content">
          <div class="in-lines bar" ref={bar}>
            <Toolbar />
            <StateLine />
          </div>
          {rows !== undefined && <ServerTable view={view} rows={rows} />}
          {rows === undefined && feed.is === 'connecting' && <p class="note">{texts.loading}</p>}
          {rows?.total === 0 && <EmptyResult />}
          {!state.isEmbedded && <MyRegionsDialog />}
          {state.isFavouritesOnly && <FavouritesNotListed favourites={notListed} />}
          <MissingLine />
        </div>
      </div>
    </section>
  );
}
