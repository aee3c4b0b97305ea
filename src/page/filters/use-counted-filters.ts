/**
 * The filters by which servers are counted: those of the view that the service understands. Favourites count as one
 * filter. If there are more favourites than a filter takes, all servers are counted.
 */

import type { FilterParameters } from './edit-filters.ts';
import { allFilters, encodeText } from '../address/page-url.ts';
import { MOST_ALTERNATIVES } from '../../model/query/limits.ts';
import { useListStatus, usePage } from '../parts/page-context.ts';
import { useFavourites } from '../favourites/favourites.ts';

export function useCountedFilters(): FilterParameters {
  const { state } = usePage();
  const { wrongFilters } = useListStatus();
  const { all } = useFavourites();
  const sound = allFilters(state).filter(({ name }) => !wrongFilters.includes(name));
  if (!state.isFavouritesOnly || all.length === 0 || all.length > MOST_ALTERNATIVES) return sound;
  return [...sound, { name: 'id', rawValue: all.map(({ id }) => encodeText(id)).join(',') }];
}
