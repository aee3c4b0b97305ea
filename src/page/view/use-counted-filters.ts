/** The filters by which servers are counted: those of the view that the service understands. */

import { encodeText } from '../page-url.ts';
import type { Filters } from '../edit-filters.ts';
import { useListStatus, usePage } from './page-context.ts';
import { useFavourites } from './use-favourites.ts';

/** A filter takes so many values; more favourites than these are counted as all servers. */
const MOST_IDS = 32;

export function useCountedFilters(): Filters {
  const { state } = usePage();
  const { wrongFilters } = useListStatus();
  const { all } = useFavourites();
  const sound = state.filters.filter(({ name }) => !wrongFilters.includes(name));
  if (!state.isFavouritesOnly || all.length === 0 || all.length > MOST_IDS) return sound;
  return [...sound, { name: 'id', rawValue: all.map(({ id }) => encodeText(id)).join(',') }];
}
