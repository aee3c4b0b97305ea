/** The order of the list, in the form of `sort` in `GET /servers`. */

/** The order if the address has none: by players among the servers that one can join, then the full, then the empty. */
export const DEFAULT_SORT = 'empty,full,-players';

/** The orders that a person can choose, by the field that names them. The first one is that of the page. */
export const ORDERS = [
  DEFAULT_SORT,
  '-players',
  'name',
  'map',
  'mode',
  'region',
  'version',
  '-registered_at',
] as const;

export type SortField = 'name' | 'players' | 'region' | 'version';

/** The field by which a reader sees that the list is sorted. */
export function firstOrder(sort: string): { readonly field: string; readonly isDescending: boolean } {
  const [first = ''] = (sort === DEFAULT_SORT ? '-players' : sort).split(',');
  return first.startsWith('-')
    ? { field: first.slice(1), isDescending: true }
    : { field: first, isDescending: false };
}

/**
 * The sort after a click on `field`: reversed if the list is already sorted by it. Players have three orders in turn.
 */
export function toggledSort(sort: string, field: SortField): string {
  if (field === 'players') return { [DEFAULT_SORT]: '-players', '-players': 'players' }[sort] ?? DEFAULT_SORT;
  const first = firstOrder(sort);
  return first.field === field && !first.isDescending ? `-${field}` : field;
}
