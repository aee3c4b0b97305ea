/**
 * The fields of entries as columns: the values of one field in all rows of a chunk, each value once where rows share
 * them. A condition then tests few values that lie together, instead of every entry. A column is made when a query
 * names its field, updated when its chunk changes, and dropped when queries name the field no more.
 */

import { LRUCache } from 'lru-cache';
import type { DerivedFrom, Field, FieldValue } from '../../model/query/filters.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { Chunk } from '../../registry/snapshot/chunk.ts';
import type { Layout } from '../../registry/snapshot/layout.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';

/** The values of one field in the rows of one chunk. */
export interface FieldColumn {
  /** The values, some of which perhaps no row has any more. */
  readonly values: readonly FieldValue[];
  /**
   * For each row the index of its value, as the units of a string: no array of small numbers is smaller. Undefined if
   * each row has its own value, at its own index.
   */
  readonly codes: string | undefined;
}

type Rows = readonly ListedGameServer[];
type ListedField = Field<ListedGameServer>;

/** The columns of one field. */
interface FieldColumns {
  /** The last column of each layout, which successive chunks share as long as their rows have the same values. */
  readonly byLayout: WeakMap<Layout, { readonly column: FieldColumn; readonly revision: number }>;
  /** Whether a query has named the field since it was last examined. */
  isNamed: boolean;
}

/** The most values of a column with codes: each code is then one byte of a string. */
const MOST_CODED_VALUES = 256;

/** The most fields with columns: enough for the fields that every entry has, and some keys of meta. */
const MOST_FIELDS = 32;
/** A field that no query has named for this long is dropped when the fields are examined next. */
const KEPT_MS = 5 * 60_000;

export class ColumnCache {
  readonly #lastDerived = new WeakMap<object, { readonly chunk: Chunk; readonly column: FieldColumn }>();
  readonly #fields = new LRUCache<string, FieldColumns>({ max: MOST_FIELDS });

  /** `most`: larger numbers need not be exact, where they are worked out for this query alone. */
  *of(field: ListedField, chunk: Chunk, most?: number): Work<FieldColumn> {
    const { from } = field.valueOf;
    if (from !== undefined) return yield* this.#derived(from, chunk, most);
    const { rows, layout, revision } = chunk;
    const { byLayout } = this.#ofField(field);
    const last = byLayout.get(layout);
    if (last?.revision === revision) return last.column;
    const changed = last && layout.changedSince(Math.min(last.revision, revision));
    const column =
      (changed && changedColumn(last.column, rows, field, changed)) ?? (yield* createColumn(rows, field));
    byLayout.set(layout, { column, revision });
    return column;
  }

  /** Made from the column of another field, and kept for the chunk that a query is at. */
  *#derived(from: DerivedFrom<ListedGameServer>, chunk: Chunk, most: number | undefined): Work<FieldColumn> {
    const last = this.#lastDerived.get(from);
    if (last?.chunk === chunk) return last.column;
    const { values, codes } = yield* this.of(from.field, chunk);
    const column = { values: values.map((value) => from.derive(value, most)), codes };
    this.#lastDerived.set(from, { chunk, column });
    return column;
  }

  #ofField({ name }: ListedField): FieldColumns {
    let known = this.#fields.get(name);
    if (known === undefined) {
      if (this.#fields.size === 0) this.#dropLater();
      known = { byLayout: new WeakMap(), isNamed: true };
      this.#fields.set(name, known);
    }
    known.isNamed = true;
    return known;
  }

  #dropLater(): void {
    const drop = (): void => {
      for (const name of Array.from(this.#fields.keys())) {
        const each = this.#fields.peek(name)!;
        if (!each.isNamed) this.#fields.delete(name);
        each.isNamed = false;
      }
      if (this.#fields.size > 0) this.#dropLater();
    };
    setTimeout(drop, KEPT_MS).unref();
  }
}

/** The columns that all queries share. A column depends on its chunk alone, whatever list the chunk is in. */
export const columns = new ColumnCache();

/** The index in the column of the value of the row at this index. */
export function codeAt({ codes }: FieldColumn, index: number): number {
  return codes === undefined ? index : codes.charCodeAt(index);
}

function* createColumn(rows: Rows, { valueOf }: ListedField): Work<FieldColumn> {
  const all: FieldValue[] = [];
  const values: FieldValue[] = [];
  const codeOf = new Map<FieldValue, number>();
  const codes: number[] = [];
  for (const [index, row] of rows.entries()) {
    const value = valueOf(row);
    const key = keyOf(value);
    all.push(value);
    let code = codeOf.get(key);
    if (code === undefined) {
      code = values.push(value) - 1;
      codeOf.set(key, code);
    }
    codes.push(code);
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) yield;
  }
  return values.length > Math.min(MOST_CODED_VALUES, rows.length / 2)
    ? { values: all, codes: undefined }
    : { values, codes: String.fromCharCode(...codes) };
}

/** The column, updated for the rows at these indices. Undefined if it would have too many values. */
function changedColumn(
  before: FieldColumn,
  rows: Rows,
  { valueOf }: ListedField,
  changed: ReadonlySet<number>,
): FieldColumn | undefined {
  const differing = [...changed].filter(
    (index) => keyOf(valueOf(rows[index]!)) !== keyOf(before.values[codeAt(before, index)]),
  );
  if (differing.length === 0) return before;
  const values = [...before.values];
  if (before.codes === undefined) {
    for (const index of differing) values[index] = valueOf(rows[index]!);
    return { values, codes: undefined };
  }
  const codes = Array.from(before.codes, (unit) => unit.charCodeAt(0));
  for (const index of differing) {
    const value = valueOf(rows[index]!);
    const key = keyOf(value);
    const code = values.findIndex((each) => keyOf(each) === key);
    codes[index] = code === -1 ? values.push(value) - 1 : code;
  }
  return values.length > MOST_CODED_VALUES ? undefined : { values, codes: String.fromCharCode(...codes) };
}

/** Equal keys mean equal values of one field. */
function keyOf(value: FieldValue): Exclude<FieldValue, readonly string[] | Uint16Array> {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
