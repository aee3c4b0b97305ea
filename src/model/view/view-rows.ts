/**
 * The rows of a view: the servers of the list that match, in order. Changes wait until the order may change, and are
 * then merged into the other rows, which are neither filtered nor sorted anew.
 *
 * Rows do not move under the pointer: they change in place, and what would come, go or move is counted and waits.
 */

import type { Compare } from '../query/sort.ts';
import type { ListedRow, RowRange } from './listed-row.ts';
import type { ListedServer } from './listed-server.ts';
import type { ListEntry } from './followed-list.ts';

/** How long a row shows that it has changed. ms. */
export const FLASH_MS = 2000;

/** The entries of a view, and their order. */
export interface Arrangement {
  readonly matches: (entry: ListEntry) => boolean;
  readonly compare: Compare<ListEntry>;
}

const NOTHING: readonly (keyof ListedServer)[] = [];

export class ViewRows {
  #arrangement: Arrangement = { matches: () => false, compare: () => 0 };
  /** The entries in order, except those in #touched. */
  #shown: readonly ListEntry[] = [];
  /** The entries that may have another place, or none. */
  readonly #touched = new Set<ListEntry>();
  readonly #rows = new WeakMap<ListEntry, ListedRow>();
  #versions = 0;

  /** How many rows there are: those of all matching entries, and of gone ones. */
  get total(): number {
    return this.#shown.length;
  }

  /** How many rows are not those of gone servers, and the players of these. */
  matching(): { readonly matching: number; readonly players: number } {
    let matching = 0;
    let players = 0;
    for (const entry of this.#shown) {
      if (this.#isGone(entry)) continue;
      matching += 1;
      players += entry.server.players;
    }
    return { matching, players };
  }

  /** Shows these entries anew. */
  arrange(arrangement: Arrangement, entries: Iterable<ListEntry>): void {
    for (const entry of this.#shown) entry.isShown = false;
    this.#arrangement = arrangement;
    const { matches, compare } = arrangement;
    const matching: ListEntry[] = [];
    for (const entry of entries) if (matches(entry)) matching.push(entry);
    this.#show(matching.toSorted(compare));
  }

  /** Marks entries that have changed. */
  touch(entries: readonly ListEntry[]): void {
    for (const entry of entries)
      if (entry.isListed || entry.isShown) this.#touched.add(entry);
      else this.#touched.delete(entry);
  }

  /** Brings order and membership up to date. Returns by how many rows the range's first unchanged row has moved. */
  settle({ start, count }: RowRange): number {
    if (this.#touched.size === 0) return 0;
    const before = this.#shown;
    let place = start;
    while (place < start + count && place < before.length && this.#touched.has(before[place]!)) place += 1;
    const anchor = place < start + count ? before[place] : undefined;
    const kept: ListEntry[] = [];
    for (const entry of before)
      if (this.#touched.has(entry)) entry.isShown = false;
      else kept.push(entry);
    this.#show(merge(kept, this.#coming(), this.#arrangement.compare));
    return anchor === undefined ? 0 : this.#shown.indexOf(anchor) - place;
  }

  /** How many entries would come, go or move. */
  get waiting(): number {
    if (this.#touched.size === 0) return 0;
    const { compare } = this.#arrangement;
    const staying = this.#shown.filter((entry) => !this.#isGone(entry));
    let waiting = this.#shown.length - staying.length;
    for (const entry of this.#touched) if (!entry.isShown && this.#belongs(entry)) waiting += 1;
    for (const [index, entry] of staying.entries()) {
      if (!this.#touched.has(entry)) continue;
      const isBehindNext = index + 1 < staying.length && compare(entry, staying[index + 1]!) > 0;
      if (isBehindNext || (index > 0 && compare(staying[index - 1]!, entry) > 0)) waiting += 1;
    }
    return waiting;
  }

  /** The place of this server's row; -1 if it has none. */
  placeOf(id: string): number {
    return this.#shown.findIndex(({ server }) => server.id === id);
  }

  /** The rows of a range. `staysUntil`: when one of them will look different by itself, ms; Infinity if none will. */
  rows(
    { start, count }: RowRange,
    now: number,
  ): { readonly rows: readonly ListedRow[]; readonly staysUntil: number } {
    let staysUntil = Infinity;
    const rows = this.#shown.slice(start, start + count).map((entry) => {
      const row = this.#rowOf(entry, now);
      if (row.isNew || row.changed.length > 0) staysUntil = Math.min(staysUntil, entry.changedAt + FLASH_MS);
      return row;
    });
    return { rows, staysUntil };
  }

  #show(shown: readonly ListEntry[]): void {
    this.#shown = shown;
    for (const entry of shown) entry.isShown = true;
    this.#touched.clear();
  }

  #belongs(entry: ListEntry): boolean {
    return entry.isListed && this.#arrangement.matches(entry);
  }

  /** Whether a shown entry is gone, which only a touched one can be. */
  #isGone(entry: ListEntry): boolean {
    return this.#touched.has(entry) && !this.#belongs(entry);
  }

  #coming(): readonly ListEntry[] {
    return [...this.#touched].filter((entry) => this.#belongs(entry)).toSorted(this.#arrangement.compare);
  }

  #rowOf(entry: ListEntry, now: number): ListedRow {
    const { server } = entry;
    const isFresh = now < entry.changedAt + FLASH_MS;
    const changed = isFresh ? entry.changed : NOTHING;
    const isNew = isFresh && entry.isNew;
    const isGone = this.#isGone(entry);
    const last = this.#rows.get(entry);
    if (last?.server === server && last.changed === changed && last.isNew === isNew && last.isGone === isGone)
      return last;
    this.#versions += 1;
    const row = { server, version: this.#versions, changed, isNew, isGone };
    this.#rows.set(entry, row);
    return row;
  }
}

/** Merges two sorted arrays. The places of the few are found among the many by bisection. */
function merge(
  many: readonly ListEntry[],
  few: readonly ListEntry[],
  compare: Compare<ListEntry>,
): readonly ListEntry[] {
  const merged: ListEntry[] = [];
  let next = 0;
  for (const entry of few) {
    let low = next;
    let high = many.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(many[middle]!, entry) > 0) high = middle;
      else low = middle + 1;
    }
    while (next < low) {
      merged.push(many[next]!);
      next += 1;
    }
    merged.push(entry);
  }
  for (; next < many.length; next += 1) merged.push(many[next]!);
  return merged;
}
