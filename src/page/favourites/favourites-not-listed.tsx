/** The favourites that are not in the list now, under those that are. */

import './favourites-not-listed.css';
import type { JSX } from 'preact';
import { addressOf } from '../parts/connect.ts';
import type { Favourite } from './favourites.ts';
import { usePage } from '../parts/page-context.ts';
import { useFavourites } from './use-favourites.ts';

export interface FavouritesNotListedOptions {
  readonly favourites: readonly Favourite[];
}

export function FavouritesNotListed({ favourites }: FavouritesNotListedOptions): JSX.Element | null {
  const { texts } = usePage();
  const { favourites: all } = useFavourites();
  if (favourites.length === 0) return null;
  return (
    <section class="not-listed">
      <h2>{texts.notListedNow}</h2>
      <ul class="card">
        {favourites.map((each) => (
          <li key={each.id}>
            <bdi>{each.name}</bdi>
            <bdi class="muted">{addressOf(each.ip, each.port)}</bdi>
            <button
              type="button"
              class="button"
              aria-label={texts.removeFavouriteOf(each.name)}
              onClick={() => all.toggle(each)}
            >
              {texts.removeFavourite}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
