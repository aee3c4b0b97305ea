/** The favourites, for components. */

import { useEffect, useState } from 'preact/hooks';
import type { Favourite, Favourites } from './favourites.ts';
import { usePage } from '../shell/page-context.ts';

/** The component is drawn again when the favourites change. */
export function useFavourites(): { readonly favourites: Favourites; readonly all: readonly Favourite[] } {
  const { favourites } = usePage();
  const [all, setAll] = useState(favourites.all);
  useEffect(() => {
    setAll(favourites.all);
    return favourites.subscribe(() => setAll(favourites.all));
  }, [favourites]);
  return { favourites, all };
}
