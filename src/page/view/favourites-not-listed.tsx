/** The favourites that are not in the list now, under those that are. */

import type { JSX } from 'preact';
import type { Favourite } from '../favourites.ts';
import { useTexts } from './page-context.ts';
import { useFavourites } from './use-favourites.ts';

export interface FavouritesNotListedOptions {
  readonly favourites: readonly Favourite[];
}

export function FavouritesNotListed({ favourites }: FavouritesNotListedOptions): JSX.Element | null {
  const texts = useTexts();
  const { favourites: all } = useFavourites();
  if (favourites.length === 0) return null;
  return (
    <ul>
      {favourites.map((each) => (
        <li key={each.id}>
          <bdi>{each.name}</bdi> {texts.notListedNow}{' '}
          <button type="button" onClick={() => all.toggle(each)}>
            {texts.removeFavourite}
          </button>
        </li>
      ))}
    </ul>
  );
}
