/** Which favourites are listed now. */

import type { Favourite } from '../favourites.ts';
import { useFavourites } from './use-favourites.ts';

export interface ListedFavourites {
  /** The ids of all favourites, for a view of the list. */
  readonly ids: readonly string[];
  readonly notListed: readonly Favourite[];
}

/** `isShown`: whether the favourites alone are shown; nothing is asked for otherwise. */
export function useListedFavourites(_isShown: boolean): ListedFavourites {
  const { all } = useFavourites();
  return { ids: all.map(({ id }) => id), notListed: [] };
}
