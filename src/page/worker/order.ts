/** The order of the rows of a view: as in `GET /servers`, except for the regions that come first. */

import { MOST_SORT_FIELDS } from '../../model/query/limits.ts';
import { parseSort, type Compare } from '../../model/query/sort.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { compareBy, SORTABLES, type Arranged } from '../../model/view/list-order.ts';

/** An order in which the servers of these regions come before all others. */
function regionsFirst(regions: readonly string[], compare: Compare<Arranged>): Compare<Arranged> {
  if (regions.length === 0) return compare;
  const first: ReadonlySet<string | undefined> = new Set(regions);
  const rank = ({ server }: Arranged): number => (first.has(server.region) ? 0 : 1);
  return (a, b) => rank(a) - rank(b) || compare(a, b);
}

/** Parses the decoded value of `sort`. '' means the order of the page, and so does an invalid value. */
export function parseViewOrder(
  sort: string,
  firstRegions: readonly string[],
): { readonly compare: Compare<Arranged>; readonly isWrong: boolean } {
  const fields = parseSort(sort === '' ? DEFAULT_SORT : sort, SORTABLES);
  if (typeof fields === 'string' || fields.length > MOST_SORT_FIELDS)
    return { ...parseViewOrder('', firstRegions), isWrong: true };
  return { compare: regionsFirst(firstRegions, compareBy(fields)), isWrong: false };
}
