/**
 * Some rows of one chunk, fewer with each step: those that match filters, then those behind a place. The values that a
 * step compares lie together in columns. One object serves chunk after chunk, and leaves no garbage for each.
 */

import type { Condition } from '../../model/query/filters.ts';
import { compareValues, type SortValue } from '../../model/query/sort.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { Chunk } from '../../registry/snapshot/chunk.ts';
import { compareRows } from '../../registry/snapshot/row.ts';
import type { Work } from '../work/work.ts';
import { codeAt, columns, type FieldColumn } from './column-cache.ts';
import type { Order, PlaceInOrder } from './order.ts';

/** How many comparisons are made between two pauses, which takes 0.1 ms. */
const COMPARISONS_AT_ONCE = 8192;

/** A row, and its place in an order. */
export interface PlacedRow {
  readonly row: ListedGameServer;
  readonly place: PlaceInOrder;
}

/** The side of a place: before it, or behind it. */
export type Side = -1 | 1;

/** A field of an order with its column, and the results of comparing its values with a place: by code, once known. */
interface PlacedKey {
  readonly column: FieldColumn;
  readonly value: SortValue;
  readonly isDescending: boolean;
  readonly results: (number | undefined)[];
}

export class Selection {
  #chunk!: Chunk;
  #indices = new Uint16Array(1024);
  #size = 0;

  /** How many rows are selected. */
  get size(): number {
    return this.#size;
  }

  /** The index of a selected row in its chunk. `position`: its place among the selected rows, in the list's order. */
  indexAt(position: number): number {
    return this.#indices[position]!;
  }

  /** The selected rows with their places, in the order of the list. */
  *placed(order: Pick<Order, 'keys'>): Work<readonly PlacedRow[]> {
    const columnsOfKeys: FieldColumn[] = [];
    for (const key of order.keys) columnsOfKeys.push(yield* columns.of(key, this.#chunk));
    const placed: PlacedRow[] = [];
    for (let i = 0; i < this.#size; i += 1) {
      const index = this.#indices[i]!;
      const row = this.#chunk.rows[index]!;
      const values = columnsOfKeys.map((column) => column.values[codeAt(column, index)] as SortValue);
      placed.push({ row, place: { registeredVersion: row.registeredVersion, id: row.id, values } });
    }
    return placed;
  }

  /** The selected rows, in the order of the list. */
  *rows(): Iterable<ListedGameServer> {
    for (let i = 0; i < this.#size; i += 1) yield this.#chunk.rows[this.#indices[i]!]!;
  }

  /** Selects all rows of the chunk for which the conditions hold. */
  *match(chunk: Chunk, conditions: readonly Condition[]): Work<void> {
    const { length } = chunk.rows;
    if (length > this.#indices.length) this.#indices = new Uint16Array(length);
    for (let index = 0; index < length; index += 1) this.#indices[index] = index;
    this.#chunk = chunk;
    this.#size = length;
    for (const condition of conditions) yield* this.#keepWhere(condition);
  }

  *#keepWhere({ field, cost, holdsFor }: Condition): Work<void> {
    const indices = this.#indices;
    const column = yield* columns.of(field, this.#chunk);
    const { values, codes } = column;
    /** Whether the condition holds for each code, once it was tested. */
    const verdicts: (boolean | undefined)[] = [];
    let comparisons = 0;
    let kept = 0;
    for (let i = 0; i < this.#size; i += 1) {
      const index = indices[i]!;
      const code = codeAt(column, index);
      let holds = codes === undefined ? undefined : verdicts[code];
      if (holds === undefined) {
        holds = holdsFor(values[code]);
        if (codes !== undefined) verdicts[code] = holds;
        comparisons += cost;
        if (comparisons > COMPARISONS_AT_ONCE) {
          comparisons = 0;
          yield;
        }
      }
      if (!holds) continue;
      indices[kept] = index;
      kept += 1;
    }
    this.#size = kept;
  }

  /** Keeps the rows that are on this side of the place. */
  *keepBeside(side: Side, place: PlaceInOrder, order: Pick<Order, 'keys'>): Work<void> {
    const keys: PlacedKey[] = [];
    for (const [position, key] of order.keys.entries()) {
      const value = place.values[position];
      // Of what is behind the place nothing else has to be known.
      const isBound = side === -1 && position === 0 && !key.isDescending && typeof value === 'number';
      const column = yield* columns.of(key, this.#chunk, isBound ? value : undefined);
      keys.push({ column, value, isDescending: key.isDescending, results: [] });
    }
    const { rows } = this.#chunk;
    const indices = this.#indices;
    let kept = 0;
    for (let i = 0; i < this.#size; i += 1) {
      const index = indices[i]!;
      const result = compareByKeys(keys, index) || compareRows(rows[index]!, place);
      if (side * result <= 0) continue;
      indices[kept] = index;
      kept += 1;
    }
    this.#size = kept;
  }
}

function compareByKeys(keys: readonly PlacedKey[], index: number): number {
  for (const { column, value, isDescending, results } of keys) {
    const { values, codes } = column;
    const code = codeAt(column, index);
    let result = codes === undefined ? undefined : results[code];
    if (result === undefined) {
      result = compareValues(values[code] as SortValue, value, isDescending);
      if (codes !== undefined) results[code] = result;
    }
    if (result !== 0) return result;
  }
  return 0;
}
