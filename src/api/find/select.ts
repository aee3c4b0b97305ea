/**
 * The first entries in an order, of all that match, for a query that was not asked before and may never be asked again:
 * it sorts only entries that the page may show, and keeps nothing for later.
 */

import type { ListedGameServer } from '../../model/game-server.ts';
import type { Chunk } from '../../registry/snapshot/chunk.ts';
import type { Filters } from '../../model/query/filters.ts';
import type { Order, PlaceInOrder } from './order.ts';
import { Selection, type PlacedRow } from './selection.ts';
import type { Work } from '../work/work.ts';

/** Some matching entries that follow each other. */
export interface MatchingRows {
  readonly rows: readonly ListedGameServer[];
  /** How many entries match in all. */
  readonly total: number;
  /** Whether no matching entry comes behind these. */
  readonly isLast: boolean;
}

/** Finds up to `limit` entries behind a place, or from the beginning. */
export function* select(
  chunks: readonly Chunk[],
  filters: Pick<Filters, 'conditions'>,
  order: Order,
  limit: number,
  after?: PlaceInOrder,
): Work<MatchingRows> {
  let found: PlacedRow[] = [];
  let total = 0;
  let left = 0;
  /** The place of the last entry that the page can show, judged by the entries seen so far. */
  let last: PlaceInOrder | undefined;
  const cut = (): void => {
    found = found.toSorted((a, b) => order.comparePlaces(a.place, b.place)).slice(0, limit);
    if (found.length === limit) last = found[limit - 1]!.place;
  };
  const selection = new Selection();
  for (const chunk of chunks) {
    yield* selection.match(chunk, filters.conditions);
    total += selection.size;
    if (after !== undefined) yield* selection.keepBeside(1, after, order);
    left += selection.size;
    yield;
    if (last !== undefined) {
      // In the order of the list all later entries come behind it.
      if (order.isRegistration) continue;
      yield* selection.keepBeside(-1, last, order);
    }
    for (const placed of yield* selection.placed(order)) {
      if (last !== undefined && order.comparePlaces(placed.place, last) > 0) continue;
      found.push(placed);
      if (found.length === 2 * limit) cut();
    }
  }
  cut();
  return { rows: found.map(({ row }) => row), total, isLast: left <= limit };
}
