/** The order of the list, as `sort` of `GET /servers` says it. */

/** Of a page whose address has no order: the most players first. */
export const DEFAULT_SORT = '-players';

export type SortField = 'name' | 'players' | 'map' | 'mode' | 'region' | 'version' | 'ip' | 'registered_at';

/** What people want to see first of these is the greatest. */
const DESCENDING_FIRST: readonly string[] = ['players', 'max_players', 'free', 'registered_at'];

/** What the list is sorted by before all else. */
export function firstOrder(sort: string): { readonly field: string; readonly isDescending: boolean } {
  const [first = ''] = sort.split(',');
  return first.startsWith('-')
    ? { field: first.slice(1), isDescending: true }
    : { field: first, isDescending: false };
}

/** The sort after a choice of `field`: turned round if the list is sorted by it already. */
export function toggledSort(sort: string, field: SortField): string {
  const first = firstOrder(sort);
  const isDescending = first.field === field ? !first.isDescending : DESCENDING_FIRST.includes(field);
  return `${isDescending ? '-' : ''}${field}`;
}
