/** The order of the list, in the form of `sort` in `GET /servers`. */

/** The order if the address has none: the most players first. */
export const DEFAULT_SORT = '-players';

export type SortField = 'name' | 'players' | 'map' | 'mode' | 'region' | 'version' | 'ip' | 'registered_at';

/** The fields whose greatest values people want to see first. */
const DESCENDING_FIRST: readonly string[] = ['players', 'max_players', 'free', 'registered_at'];

/** The first field by which the list is sorted. */
export function firstOrder(sort: string): { readonly field: string; readonly isDescending: boolean } {
  const [first = ''] = sort.split(',');
  return first.startsWith('-')
    ? { field: first.slice(1), isDescending: true }
    : { field: first, isDescending: false };
}

/** The sort after a click on `field`: reversed if the list is already sorted by it. */
export function toggledSort(sort: string, field: SortField): string {
  const first = firstOrder(sort);
  const isDescending = first.field === field ? !first.isDescending : DESCENDING_FIRST.includes(field);
  return `${isDescending ? '-' : ''}${field}`;
}
