/** The star of one server. */

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useFavourites, type Favourite } from './favourites.ts';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../parts/page-context.ts';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';

export function FavouriteButton({ server }: { readonly server: Favourite }): JSX.Element {
  const { texts } = usePage();
  const { favourites } = useFavourites();
  const isFavourite = favourites.has(server);
  // The list has the new ids of listed servers. That of an unlisted one is known only to a reader who has opened it.
  useEffect(() => {
    if (isUnlistedServer(server)) favourites.update([server]);
  }, [server.id, server.name]);
  return (
    <button
      type="button"
      class="icon-button star"
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
