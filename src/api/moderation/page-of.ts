/** Pages of entries, perhaps of a million in any order. This file knows of an entry only its place in an order. */

import type { ListedGameServer } from '../../model/game-server.ts';
import type { PageQuery } from '../find/page-query.ts';
import type { Work } from '../work/work.ts';

export interface RowsOfPage {
  /** In the order of the query. */
  readonly rows: readonly ListedGameServer[];
  /** The number of all entries, and of those that match. */
  readonly count: number;
  readonly total: number;
  /** Whether no entry is behind this page. */
  readonly isLast: boolean;
}

/** How many entries are examined between two pauses, which takes some 0.1 ms. */
const ENTRIES_AT_ONCE = 64;

/** The page of those that match. It holds and sorts no more than two pages of rows at a time. */
export function* pageOf(
  entries: Iterable<ListedGameServer>,
  { filters, order, limit, after }: Pick<PageQuery, 'filters' | 'order' | 'limit' | 'after'>,
): Work<RowsOfPage> {
  let rows: ListedGameServer[] = [];
  let count = 0;
  let total = 0;
  let isLast = true;
  /** The last entry of the page, judged by the entries seen so far. */
  let last: ListedGameServer | undefined;
  const cut = (): void => {
    isLast &&= rows.length <= limit;
    rows = rows.toSorted(order.compare).slice(0, limit);
  };
  for (const entry of entries) {
    count += 1;
    if (count % ENTRIES_AT_ONCE === 0) yield;
    if (!filters.matches(entry)) continue;
    total += 1;
    if (after !== undefined && !order.isBehind(entry, after)) continue;
    if (last !== undefined && order.compare(entry, last) > 0) continue;
    rows.push(entry);
    if (rows.length < 2 * limit) continue;
    cut();
    last = rows.at(-1);
  }
  cut();
  return { rows, count, total, isLast };
}
