/** The star of one server. */

import type { JSX } from 'preact';
import './favourite-button.css';
import type { Favourite } from '../favourites.ts';
import { Icon } from './icon.tsx';
import { useTexts } from './page-context.ts';
import { useFavourites } from './use-favourites.ts';

export interface FavouriteButtonOptions {
  readonly server: Favourite;
  readonly tabIndex?: number | undefined;
}

export function FavouriteButton({ server, tabIndex }: FavouriteButtonOptions): JSX.Element {
  const texts = useTexts();
  const { favourites } = useFavourites();
  const isFavourite = favourites.has(server);
  return (
    <button
      type="button"
      class="favourite-button"
      data-command="favourite"
      tabIndex={tabIndex}
      aria-pressed={isFavourite}
      aria-label={texts.favouriteOf(server.name)}
      disabled={!isFavourite && favourites.isFull}
      onClick={() => favourites.toggle(server)}
    >
      <Icon name="star" />
    </button>
  );
}
