/** What may be chosen in each facet, with its numbers. They stay as they were while the service is away. */

import { filtersText } from '../address/page-url.ts';
import type { Answers } from '../connection/get-json.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { without } from './edit-filters.ts';
import { useCountedFilters } from './use-counted-filters.ts';

export const FACETS = ['region', 'mode', 'map', 'version'] as const;
export type FacetName = (typeof FACETS)[number];

export interface FacetCounts {
  readonly values: Answers['Stats']['regions'];
  readonly other: Answers['Stats']['other_regions'];
}

const REFRESH_MS = 10_000;

/** In the order of FACETS; empty before the first answer. */
export function useFacets(): readonly FacetCounts[] {
  const filters = useCountedFilters();
  // A facet shows what else could be chosen, and so its own filter does not count.
  const addresses = FACETS.map((name) => `stats?${filtersText(without(filters, name))}`);
  const { answers } = useAnswers<Answers['Stats']>(addresses, REFRESH_MS);
  return answers.map(([, stats], index) => {
    const name = FACETS[index]!;
    return { values: stats[`${name}s`], other: stats[`other_${name}s`] };
  });
}
