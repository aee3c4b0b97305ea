/** Explains why there are no rows: none is listed, or none matches, and then which filter to loosen. */

import './empty-result.css';
import type { JSX } from 'preact';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { allFilters, decodeText, filtersText, type PageState } from '../address/page-url.ts';
import type { FilterParameters } from '../filters/edit-filters.ts';
import { describeFilter } from '../filters/describe-filter.ts';
import { FirstServer } from './first-server.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { useListStatus, usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { isUnlistedServer } from '../parts/is-unlisted-server.ts';
import { useCountedFilters } from '../filters/use-counted-filters.ts';
import { useFavourites } from '../favourites/favourites.ts';

interface Loosening {
  /** The filter that is left out, in words. `value`: as a game server may have written it. */
  readonly label: string;
  readonly value: string;
  readonly to: Partial<PageState>;
  /** The address at which the service counts the servers that there would be. */
  readonly address: string;
}

/** The counts of an empty result need not be more current. */
const REFRESH_MS = 30_000;

export function EmptyResult(): JSX.Element | null {
  const { state, texts, root } = usePage();
  const { rows } = useListStatus();
  const { all } = useFavourites();
  const loosenings = useLoosenings();
  const { answers } = useAnswers<Answers['Page']>(
    loosenings.map(({ address }) => address),
    REFRESH_MS,
  );
  const batches = new Map(answers);

  const isWhole = allFilters(state).length === 0 && !state.isFavouritesOnly;
  if (rows?.listed === 0 && isWhole) return <FirstServer serviceUrl={new URL(root, location.href).href} />;
  // With a filter by a key of meta, the list that is here was narrowed by the service.
  const isOfMeta = allFilters(state).some(({ name }) => name.startsWith('meta.'));
  if (rows?.listed === 0 && !isOfMeta) return <Note icon="nothing" text={texts.emptyResult.nothingListed} />;
  if (state.isFavouritesOnly && all.length === 0)
    return <Note icon="star" text={texts.emptyResult.noFavourites} />;
  // Unlisted favourites are shown below, and never have a row.
  if (state.isFavouritesOnly && state.filters.length === 0 && all.every(isUnlistedServer)) return null;
  // The rows of the view before are still shown.
  if (loosenings.length === 0 && state.locked.length === 0) return null;
  const useful = loosenings
    .map((each) => ({ ...each, total: batches.get(each.address)?.total ?? 0 }))
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total);
  const { before, after } = texts.emptyResult.remove;
  return (
    <div class="empty-result note">
      <Icon name="search" />
      <p>{texts.nothingMatches}</p>
      <ul class="unmarked">
        {useful.map(({ label, value, to, total }) => (
          <li key={`${label}${value}`}>
            <PageLink to={to} class="button">
              <span>
                {before}
                {label}
                {label !== '' && value !== '' && ' '}
                <bdi>{value}</bdi>
                {after} ({texts.servers(total)})
              </span>
            </PageLink>
          </li>
        ))}
        {loosenings.length > (useful.length === 0 ? 0 : 1) && (
          <li>
            <PageLink to={{ filters: [], isFavouritesOnly: false }} class="button">
              {texts.filters.clearAll}
            </PageLink>
          </li>
        )}
      </ul>
    </div>
  );
}

function Note({ icon, text }: { readonly icon: IconName; readonly text: string }): JSX.Element {
  return (
    <div class="note">
      <Icon name={icon} />
      <p>{text}</p>
    </div>
  );
}

/** The view without each one of its filters. */
function useLoosenings(): readonly Loosening[] {
  const page = usePage();
  const { state, texts } = page;
  const counted = useCountedFilters();
  const withoutOne = state.filters.map((filter) => {
    const words = describeFilter(page, filter.name, decodeText(filter.rawValue));
    const { value } = words;
    // Searched words need no name.
    const label = filter.name === 'q' ? '' : words.label;
    const to = { filters: state.filters.filter((each) => each !== filter) };
    return { label, value, to, address: addressOfCount(counted.filter((each) => each !== filter)) };
  });
  if (!state.isFavouritesOnly) return withoutOne;
  const all = {
    label: texts.filters.favourites,
    value: '',
    to: { isFavouritesOnly: false },
    address: addressOfCount(counted.filter((each) => allFilters(state).includes(each))),
  };
  return [...withoutOne, all];
}

function addressOfCount(filters: FilterParameters): string {
  return `servers?limit=1&${filtersText(filters)}`;
}
