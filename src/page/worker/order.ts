/** The order of the rows of a view: as in `GET /servers`, except for what the player has chosen and measured. */

import { MOST_SORT_FIELDS } from '../../model/query/limits.ts';
import { parseSort, type Compare, type Sortables, type SortValue } from '../../model/query/sort.ts';
import { NEAR } from '../../model/near.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import { Nearness, type Measured } from '../near/nearness.ts';
import { compareBy, SORTABLES, type Arranged } from '../../model/view/list-order.ts';

/** An order in which the servers of these regions come before all others. */
function regionsFirst(regions: readonly string[], compare: Compare<Arranged>): Compare<Arranged> {
  if (regions.length === 0) return compare;
  const first: ReadonlySet<string | undefined> = new Set(regions);
  const rank = ({ server }: Arranged): number => (first.has(server.region) ? 0 : 1);
  return (a, b) => rank(a) - rank(b) || compare(a, b);
}

/** The last nearness: its estimates are kept while the player filters. */
let nearness: Nearness | undefined;

/** The fields of the service, and how near servers are. Nothing is near before the player has measured. */
function sortablesOf(near: Measured | undefined): Sortables<Arranged> {
  if (near?.at !== nearness?.measured.at) nearness = near && new Nearness(near);
  const known = nearness;
  const valueOf = ({ server }: Arranged): SortValue => known?.msOf(server);
  return { ...SORTABLES, get: (name) => (name === NEAR ? { type: 'number', valueOf } : SORTABLES.get(name)) };
}

/** Parses the decoded value of `sort`. '' means the order of the page, and so does an invalid value. */
export function parseViewOrder(
  sort: string,
  firstRegions: readonly string[],
  near?: Measured,
): { readonly compare: Compare<Arranged>; readonly isWrong: boolean } {
  // Equally near servers, and those without an estimate, come in the order of the page.
  const wanted = sort === NEAR ? `${NEAR},${DEFAULT_SORT}` : sort || DEFAULT_SORT;
  const fields = parseSort(wanted, sortablesOf(near));
  if (typeof fields === 'string' || fields.length > MOST_SORT_FIELDS)
    return { ...parseViewOrder('', firstRegions), isWrong: true };
  return { compare: regionsFirst(firstRegions, compareBy(fields)), isWrong: false };
}
