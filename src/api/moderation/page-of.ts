/** Pages of entries, perhaps of a million in any order. This file knows of an entry only its place in the list. */

import type { Work } from '../work/work.ts';
import { compareRows, type PlaceInList } from '../../registry/snapshot/row.ts';

export interface PageWanted {
  readonly limit: number;
  /** The place behind which the page begins. */
  readonly after: PlaceInList | undefined;
}

export interface RowsOfPage<Entry> {
  /** The rows in order of registration. */
  readonly rows: readonly Entry[];
  /** The number of all entries. */
  readonly count: number;
  /** Whether no entry is behind this page. */
  readonly isLast: boolean;
}

/** How many entries are examined between two pauses, which takes some 50 µs. */
const ENTRIES_AT_ONCE = 256;

/** The page, in order of registration. It holds and sorts no more than two pages of rows at a time. */
export function* pageOf<Entry extends PlaceInList>(
  entries: Iterable<Entry>,
  { limit, after }: PageWanted,
): Work<RowsOfPage<Entry>> {
  let rows: Entry[] = [];
  let count = 0;
  let isLast = true;
  /** The last entry of the page, judged by the entries seen so far. */
  let last: Entry | undefined;
  const cut = (): void => {
    isLast &&= rows.length <= limit;
    rows = rows.toSorted(compareRows).slice(0, limit);
  };
  for (const entry of entries) {
    count += 1;
    if (count % ENTRIES_AT_ONCE === 0) yield;
    if (after !== undefined && compareRows(entry, after) <= 0) continue;
    if (last !== undefined && compareRows(entry, last) > 0) continue;
    rows.push(entry);
    if (rows.length < 2 * limit) continue;
    cut();
    last = rows.at(-1);
  }
  cut();
  return { rows, count, isLast };
}
