/**
 * The values of each facet, with their numbers. The worker counts them. If the list is too long for the worker, the
 * service counts them, except countries and tags. The numbers stay as they are while the service is away.
 */

import { useEffect, useMemo } from 'preact/hooks';
import { filtersText } from '../address/page-url.ts';
import type { Answers } from '../connection/get-json.ts';
import {
  FACETS,
  facetNames,
  type Facet,
  type FacetAsk,
  type FacetAsks,
  type FacetName,
} from '../connection/messages.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { useListStatus, useLive, usePage } from '../parts/page-context.ts';
import { without } from './edit-filters.ts';
import { useCountedFilters } from './use-counted-filters.ts';

/** The facets that the service counts. */
export const SERVICE_FACETS = FACETS.filter((name) => name !== 'tags' && name !== 'country');
export type ServiceFacetName = (typeof SERVICE_FACETS)[number];

/** A facet as it is shown. */
export interface ShownFacet extends Facet {
  /** The servers whose value the service does not name, and those without a value. */
  readonly others?: Answers['Stats']['other_regions'];
}

export const REFRESH_MS = 10_000;
/** Countries are searched here, by their names: the worker knows their letters alone. */
const ALL: FacetAsk = { most: Infinity, sought: '' };

/** Asks for so many values of each facet. */
export function askFor(most: number, metaKeys: readonly string[]): FacetAsks {
  return Object.fromEntries(facetNames(metaKeys).map((name) => [name, { most, sought: '' }])) as FacetAsks;
}

/** The worker counts while the component is shown. */
export function useCounting(asks: FacetAsks): void {
  const { list } = useLive();
  useEffect(() => list.countFacets(asks), [list, asks]);
  useEffect(() => () => list.countFacets(undefined), [list]);
}

/** The facets; one that is not known yet, or not counted, is missing. */
export function useFacets(asks: FacetAsks): Partial<Record<FacetName, ShownFacet>> {
  const { facets } = useListStatus();
  const { formats } = usePage();
  useCounting(useMemo(() => ({ ...asks, country: ALL }), [asks]));
  const ofService = useServiceFacets(facets === 'too long', asks);
  if (facets === 'too long' || facets === undefined) return ofService;
  return { ...facets, country: partOf(facets.country.values, asks.country, formats.country) };
}

function useServiceFacets(isAsked: boolean, asks: FacetAsks): Partial<Record<FacetName, ShownFacet>> {
  const filters = useCountedFilters();
  // As in the worker, a facet shows which other values could be chosen, so its own filter does not count.
  const addresses = SERVICE_FACETS.map((name) => `stats?${filtersText(without(filters, name))}`);
  const { answers } = useAnswers<Answers['Stats']>(isAsked ? addresses : [], REFRESH_MS);
  return Object.fromEntries(
    answers.map(([, stats], index) => {
      const name = SERVICE_FACETS[index]!;
      return [name, { ...partOf(stats[`${name}s`], asks[name]), others: stats[`other_${name}s`] }];
    }),
  );
}

function partOf(values: Facet['values'], ask: FacetAsk, nameOf = (value: string) => value): Facet {
  const { most, sought } = ask;
  const matching = values.filter(({ value }) => nameOf(value).toLowerCase().includes(sought.toLowerCase()));
  return { values: matching.slice(0, most), more: Math.max(0, matching.length - most) };
}
