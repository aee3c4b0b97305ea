/**
 * The first entries in an order, of all that match, for a query that was not asked before and may never be again:
 * nothing is sorted but what may be shown, and nothing is kept.
 */

import type { ListedGameServer } from '../registry/game-server.ts';
import type { Chunk } from '../registry/snapshot/chunk.ts';
import type { Filters } from '../query/filters.ts';
import type { Order, PlaceInOrder } from './order.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';

/** Some matching entries that follow each other. */
export interface MatchingRows {
  readonly rows: readonly ListedGameServer[];
  /** How many entries match in all. */
  readonly total: number;
  /** Whether none comes behind these. */
  readonly isLast: boolean;
}

/** Up to `limit` entries behind a place, or from the beginning. */
export function* select(
  chunks: readonly Chunk[],
  filters: Filters,
  { compare, isBehind }: Pick<Order, 'compare' | 'isBehind'>,
  limit: number,
  after?: PlaceInOrder,
): Work<MatchingRows> {
  let rows: ListedGameServer[] = [];
  let total = 0;
  let left = 0;
  /** The last one that can be shown, as far as the entries seen tell. */
  let last: ListedGameServer | undefined;
  const cut = (): void => {
    rows = rows.toSorted(compare).slice(0, limit);
    last = rows[limit - 1];
  };
  for (const chunk of chunks) {
    for (const [index, row] of chunk.rows.entries()) {
      if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
      if (!filters.matches(row)) continue;
      total += 1;
      if (after !== undefined && !isBehind(row, after)) continue;
      left += 1;
      if (last !== undefined && compare(row, last) > 0) continue;
      rows.push(row);
      if (rows.length === 2 * limit) cut();
    }
    yield;
  }
  cut();
  return { rows, total, isLast: left <= limit };
}
