/**
 * The order of the rows of a view, as `GET /servers` has it, but for the regions that come first: those with equal
 * values come in order of registration.
 */

import { MOST_SORT_FIELDS } from '../../query/limits.ts';
import { comparatorOf, createSortables, parseSort, type Compare, type SortKey } from '../../query/sort.ts';
import { DEFAULT_SORT } from '../address/sort-order.ts';
import type { ListedServer } from '../../client/listed-server.ts';
import { FIELDS } from './filters.ts';

/** What is compared. */
export interface Arranged {
  readonly server: ListedServer;
  /** ms. */
  readonly registeredAt: number;
  /** Decides among those that were registered in the same ms: the later, the greater. */
  readonly arrival: number;
}

const SORTABLES = createSortables<Arranged>(FIELDS, ({ registeredAt }) => registeredAt);

const compareRegistration: Compare<Arranged> = (a, b) =>
  a.registeredAt - b.registeredAt || a.arrival - b.arrival;

/** No two entries are registered at once: nothing behind that is compared. */
function compareBy(fields: readonly SortKey<Arranged>[]): Compare<Arranged> {
  const at = fields.findIndex(({ name }) => name === 'registered_at');
  if (at === -1) return comparatorOf(fields, compareRegistration);
  return comparatorOf(
    fields.slice(0, at),
    fields[at]!.isDescending ? (a, b) => compareRegistration(b, a) : compareRegistration,
  );
}

/** The servers of these regions come before all others. */
function regionsFirst(regions: readonly string[], compare: Compare<Arranged>): Compare<Arranged> {
  if (regions.length === 0) return compare;
  const first: ReadonlySet<string | undefined> = new Set(regions);
  const rank = ({ server }: Arranged): number => (first.has(server.region) ? 0 : 1);
  return (a, b) => rank(a) - rank(b) || compare(a, b);
}

/** Reads the value of `sort`, decoded. '' means the order of the page, and so does a wrong one. */
export function parseViewOrder(
  sort: string,
  firstRegions: readonly string[],
): { readonly compare: Compare<Arranged>; readonly isWrong: boolean } {
  const fields = parseSort(sort === '' ? DEFAULT_SORT : sort, SORTABLES);
  if (typeof fields === 'string' || fields.length > MOST_SORT_FIELDS)
    return { ...parseViewOrder('', firstRegions), isWrong: true };
  return { compare: regionsFirst(firstRegions, compareBy(fields)), isWrong: false };
}
