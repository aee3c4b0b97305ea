/**
 * The numbers of the whole list: counted by the worker as the list changes, also while the service is away, and by the
 * service if the list is too long for the worker.
 */

import { useEffect, useState } from 'preact/hooks';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import type { Answers } from '../connection/get-json.ts';
import type { ListView } from '../connection/messages.ts';
import { useAnswers } from '../connection/use-answers.ts';
import { askFor, REFRESH_MS, useCounting } from '../filters/use-facets.ts';
import { useListStatus, useLive, usePage } from '../parts/page-context.ts';
import { numbersOf, type Numbers } from './numbers.ts';

const WHOLE_LIST: ListView = { filters: '', sort: DEFAULT_SORT, ids: undefined, firstRegions: [] };
const NO_ROWS = { start: 0, count: 0 };

/** Undefined before they are known. `most`: how many values of each facet. */
export function useNumbers(most: number): Numbers | undefined {
  const { list } = useLive();
  const { settings } = usePage();
  const { facets, totals, rows } = useListStatus();
  const [asks] = useState(() => askFor(most, settings.metaFilters));
  useEffect(() => list.show(WHOLE_LIST, NO_ROWS), [list]);
  useCounting(asks);
  const isLong = facets === 'too long';
  const { answers } = useAnswers<Answers['Stats']>(isLong ? ['stats'] : [], REFRESH_MS);
  const stats = answers[0]?.[1];
  if (isLong && stats !== undefined) return numbersOf(stats, most);
  // The view before was that of the list, and may have had filters.
  if (facets === undefined || isLong || totals === undefined || rows?.view.filters !== '') return undefined;
  return { totals, values: (facet) => facets[facet].values };
}
