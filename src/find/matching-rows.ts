/** Which rows of a chunk match filters, and which are before or behind a place: column by column. */

import type { Filters } from '../query/filters.ts';
import { compareValues, type SortValue } from '../query/sort.ts';
import type { Chunk } from '../registry/snapshot/chunk.ts';
import { compareRows } from '../registry/snapshot/row.ts';
import type { Work } from '../work/work.ts';
import { codeAt, columnOf, type Column } from './columns.ts';
import type { Order, PlaceInOrder } from './order.ts';

/** So many comparisons are made at once: 0.1 ms. */
const COMPARISONS_AT_ONCE = 8192;

/** Of a chunk of any length. */
const ALL_INDICES = Uint16Array.from({ length: 2 ** 16 }, (_, index) => index);

/** The indices of the rows that match, in order. */
export function* matchingRows({ conditions }: Pick<Filters, 'conditions'>, chunk: Chunk): Work<Uint16Array> {
  const found = ALL_INDICES.slice(0, chunk.rows.length);
  let count = found.length;
  for (const { field, cost, holdsFor } of conditions) {
    const column = yield* columnOf(field, chunk);
    /** By code, once it is known. */
    const verdicts: (boolean | undefined)[] = new Array(column.values.length);
    let comparisons = 0;
    let kept = 0;
    for (let i = 0; i < count; i += 1) {
      const index = found[i]!;
      const code = codeAt(column, index);
      let verdict = verdicts[code];
      if (verdict === undefined) {
        verdicts[code] = verdict = holdsFor(column.values[code]);
        comparisons += cost;
        if (comparisons > COMPARISONS_AT_ONCE) {
          comparisons = 0;
          yield;
        }
      }
      if (verdict) {
        found[kept] = index;
        kept += 1;
      }
    }
    count = kept;
  }
  return found.subarray(0, count);
}

/** Before a place, or behind it. */
export type Side = -1 | 1;

/** One field of an order with its column: how its values compare with the place, by code, once it is known. */
interface PlacedKey {
  readonly column: Column;
  readonly value: SortValue;
  readonly isDescending: boolean;
  readonly results: (number | undefined)[];
}

/** Those of these rows of a chunk, by their indices, that are at this side of the place. */
export function* rowsBeside(
  chunk: Chunk,
  indices: Uint16Array,
  order: Pick<Order, 'keys'>,
  place: PlaceInOrder,
  side: Side,
): Work<Uint16Array> {
  const keys: PlacedKey[] = [];
  for (const [position, key] of order.keys.entries()) {
    const column = yield* columnOf(key, chunk);
    const value = place.values[position];
    keys.push({ column, value, isDescending: key.isDescending, results: new Array(column.values.length) });
  }
  const found = new Uint16Array(indices.length);
  let count = 0;
  for (let i = 0; i < indices.length; i += 1) {
    const index = indices[i]!;
    const result = compareByKeys(keys, index) || Math.sign(compareRows(chunk.rows[index]!, place));
    if (result !== side) continue;
    found[count] = index;
    count += 1;
  }
  return found.subarray(0, count);
}

function compareByKeys(keys: readonly PlacedKey[], index: number): number {
  for (const { column, value, isDescending, results } of keys) {
    const code = codeAt(column, index);
    let result = results[code];
    if (result === undefined) {
      result = compareValues(column.values[code] as SortValue, value, isDescending);
      results[code] = result;
    }
    if (result !== 0) return result;
  }
  return 0;
}
