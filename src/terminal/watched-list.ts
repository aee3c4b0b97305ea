/** The list that is watched: what of it is shown, in which order, and which server is chosen. Draws nothing. */

import type { ListedRow } from '../client/listed-row.ts';
import type { ToldChanges } from '../client/listed-server.ts';
import { compareBy, SORTABLES } from '../client/list-order.ts';
import { ServerList, type ListEntry } from '../client/server-list.ts';
import { ViewRows } from '../client/view-rows.ts';
import { wordsOf } from '../query/search.ts';
import { parseSort } from '../query/sort.ts';
import { didYouMean } from '../did-you-mean.ts';

/** The most players first. */
export const DEFAULT_SORT = '-players';
/** Those that a key leads through. */
const SORTS: readonly string[] = [DEFAULT_SORT, 'name', 'map', 'mode', 'region', '-registered_at'];

/** What is wrong with a value of `sort`, in words that follow its name; undefined if nothing is. */
export function complaintOfSort(sort: string): string | undefined {
  const fields = parseSort(sort, SORTABLES);
  return typeof fields === 'string'
    ? `has no field "${fields}"${didYouMean(fields, [...SORTABLES.keys()])}`
    : undefined;
}

/** The rows in view, and what all of them come to. */
export interface WatchedRows {
  readonly rows: readonly ListedRow[];
  /** Which of `rows` is chosen; -1 without any. */
  readonly chosen: number;
  /** How many match the filter. */
  readonly total: number;
  readonly players: number;
  /** How many there are. */
  readonly listed: number;
  /** When one of them looks different by itself, ms; Infinity if none will. */
  readonly staysUntil: number;
}

export class WatchedList {
  readonly #list = new ServerList();
  readonly #rows = new ViewRows();
  #sort: string;
  #filter = '';
  #players = 0;
  /** The place of the chosen row, and of the first one in view. */
  #place = 0;
  #start = 0;
  /** The chosen server; undefined: whichever is first. */
  #chosenId: string | undefined;

  constructor(sort: string) {
    this.#sort = sort;
  }

  get sort(): string {
    return this.#sort;
  }

  get filter(): string {
    return this.#filter;
  }

  get isKnown(): boolean {
    return this.#list.isKnown;
  }

  take(changes: ToldChanges, now: number): void {
    const isFirst = !this.#list.isKnown;
    this.#rows.touch(this.#list.apply(changes, now));
    if (isFirst && this.#list.isKnown) this.#arrange();
  }

  /** Brings the order up to date. The chosen server stays chosen, wherever it is then. */
  settle(): void {
    this.#rows.settle({ start: 0, count: 0 });
    this.#list.forgetLeft();
    this.#settled();
  }

  setFilter(text: string): void {
    this.#filter = text;
    this.#arrange();
  }

  nextSort(): void {
    this.#sort = SORTS[(SORTS.indexOf(this.#sort) + 1) % SORTS.length]!;
    this.#arrange();
  }

  turnSort(): void {
    const fields = this.#sort.split(',');
    this.#sort = fields.map((field) => (field.startsWith('-') ? field.slice(1) : `-${field}`)).join(',');
    this.#arrange();
  }

  /** The chosen row moves by so many places; -Infinity is the first one, which then stays chosen whichever it is. */
  move(by: number): void {
    const last = Math.max(0, this.#rows.total - 1);
    this.#place = Math.min(Math.max(0, this.#place + by), last);
    this.#chosenId = by === -Infinity ? undefined : this.#at(this.#place)?.server.id;
  }

  get chosen(): ListedRow | undefined {
    return this.#at(this.#place);
  }

  /** `count`: how many rows there is room for. */
  view(count: number, now: number): WatchedRows {
    const { total } = this.#rows;
    // The chosen row is among them.
    this.#start = Math.min(
      Math.max(this.#start, this.#place - count + 1),
      this.#place,
      Math.max(0, total - count),
    );
    const { rows, staysUntil } = this.#rows.rows({ start: this.#start, count }, now);
    return {
      rows,
      chosen: rows.length === 0 ? -1 : this.#place - this.#start,
      total,
      players: this.#players,
      listed: this.#list.size,
      staysUntil,
    };
  }

  #arrange(): void {
    const words = wordsOf(this.#filter);
    const matches = ({ searchText }: ListEntry): boolean => words.every((word) => searchText.includes(word));
    const fields = parseSort(this.#sort, SORTABLES);
    const compare = compareBy(typeof fields === 'string' ? [] : fields);
    this.#rows.arrange({ matches, compare }, this.#list.entries());
    this.#settled();
  }

  #settled(): void {
    this.#players = this.#rows.players;
    const place = this.#chosenId === undefined ? 0 : this.#rows.placeOf(this.#chosenId);
    const last = Math.max(0, this.#rows.total - 1);
    this.#place = Math.min(place === -1 ? this.#place : place, last);
    if (place === -1) this.#chosenId = this.#at(this.#place)?.server.id;
  }

  #at(place: number): ListedRow | undefined {
    return this.#rows.rows({ start: place, count: 1 }, Infinity).rows[0];
  }
}
