/**
 * The favourites that are not in the list, below those that are: unlisted servers, which one can still play on, and
 * servers that are gone.
 */

import './favourites-not-listed.css';
import type { ComponentChildren, JSX } from 'preact';
import { addressOf } from '../../model/address-of.ts';
import { connectAddress } from '../parts/connect.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { useFavourites, type Favourite } from './favourites.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';

/** `favourites`: those that were looked for and not found. */
export function FavouritesNotListed({
  favourites,
}: {
  readonly favourites: readonly Favourite[];
}): JSX.Element {
  const { texts } = usePage();
  const { all } = useFavourites();
  return (
    <>
      <Section title={texts.unlistedFavourites}>
        {all.filter(isUnlistedServer).map((each) => (
          <Unlisted favourite={each} key={each.id} />
        ))}
      </Section>
      <Section title={texts.notListedNow}>
        {favourites.map((each) => (
          <li class="in-lines" key={each.id}>
            <bdi>{each.name}</bdi>
            <bdi class="muted">{addressOf(each.ip, each.port)}</bdi>
            <span class="in-lines not-listed-actions">
              <RemoveButton favourite={each} />
            </span>
          </li>
        ))}
      </Section>
    </>
  );
}

interface SectionOptions {
  readonly title: string;
  readonly children: readonly ComponentChildren[];
}

function Section({ title, children }: SectionOptions): JSX.Element | null {
  if (children.length === 0) return null;
  return (
    <section class="not-listed">
      <h2>{title}</h2>
      <ul class="unmarked card">{children}</ul>
    </section>
  );
}

function Unlisted({ favourite }: { readonly favourite: Favourite }): JSX.Element {
  const { settings, texts } = usePage();
  const { id, ip, port, name } = favourite;
  const address = addressOf(ip, port);
  const connect = settings.connect === null ? undefined : connectAddress(settings.connect, favourite);
  return (
    <li class="in-lines">
      <PageLink to={{ serverId: id }}>
        <bdi>{name}</bdi>
      </PageLink>
      <bdi class="muted">{address}</bdi>
      <span class="in-lines not-listed-actions">
        <CopyButton text={address} label={texts.copyAddressOf(name)} />
        {connect !== undefined && (
          <a class="button" href={connect} aria-label={texts.connectTo(name)}>
            {texts.connect}
          </a>
        )}
        <RemoveButton favourite={favourite} />
      </span>
    </li>
  );
}

function RemoveButton({ favourite }: { readonly favourite: Favourite }): JSX.Element {
  const { texts } = usePage();
  const { favourites } = useFavourites();
  return (
    <button
      type="button"
      class="button"
      aria-label={texts.removeFavouriteOf(favourite.name)}
      onClick={() => favourites.toggle(favourite)}
    >
      {texts.removeFavourite}
    </button>
  );
}
