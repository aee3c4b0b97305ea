/** The favourites, for components. */

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useWatched } from '../parts/use-watched.ts';
import type { Favourite, Favourites } from './favourites.ts';

export const FavouritesContext = createContext<Favourites | undefined>(undefined);

/** The component is drawn again when the favourites change. */
export function useFavourites(): { readonly favourites: Favourites; readonly all: readonly Favourite[] } {
  const favourites = useContext(FavouritesContext)!;
  return { favourites, all: useWatched(favourites, () => favourites.all) };
}
