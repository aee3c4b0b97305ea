/** The star of one server. */

import './favourite-button.css';
import type { JSX } from 'preact';
import type { Favourite } from './favourites.ts';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { useFavourites } from './use-favourites.ts';

export function FavouriteButton({ server }: { readonly server: Favourite }): JSX.Element {
  const { texts } = usePage();
  const { favourites } = useFavourites();
  const isFavourite = favourites.has(server);
  return (
    <button
      type="button"
      class="favourite-button"
      data-command="favourite"
      aria-pressed={isFavourite}
      aria-label={texts.favouriteOf(server.name)}
      disabled={!isFavourite && favourites.isFull}
      onClick={() => favourites.toggle(server)}
    >
      <Icon name="star" />
    </button>
  );
}
