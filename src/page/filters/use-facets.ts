/** What may be chosen in each facet, with its numbers. They stay as they were while the service is away. */

import { useCallback, useState } from 'preact/hooks';
import { without } from './edit-filters.ts';
import { getJson, type Answers } from '../connection/get-json.ts';
import { filtersText } from '../address/page-url.ts';
import { useCountedFilters } from './use-counted-filters.ts';
import { useRepeated } from '../connection/use-repeated.ts';

export const FACETS = ['region', 'mode', 'map', 'version'] as const;
export type FacetName = (typeof FACETS)[number];

type Stats = Answers['Stats'];

export interface FacetCounts {
  readonly values: Stats['regions'];
  readonly other: Stats['other_regions'];
}

const REFRESH_MS = 10_000;

/** In the order of FACETS; undefined before the first answer. */
export function useFacets(): readonly FacetCounts[] | undefined {
  const [facets, setFacets] = useState<readonly FacetCounts[]>();
  const filters = useCountedFilters();
  // A facet shows what else could be chosen, and so its own filter does not count.
  const queries = FACETS.map((name) => filtersText(without(filters, name))).join('\n');
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      const wanted = queries.split('\n');
      const different = [...new Set(wanted)];
      const answers = await Promise.all(different.map((query) => getJson<Stats>(`stats?${query}`, signal)));
      setFacets(
        FACETS.map((name, index) => {
          const stats = answers[different.indexOf(wanted[index]!)]!;
          return { values: stats[`${name}s`], other: stats[`other_${name}s`] };
        }),
      );
    },
    [queries],
  );
  useRepeated(refresh, REFRESH_MS);
  return facets;
}
