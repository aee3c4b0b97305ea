/**
 * Fields of the entries by columns: what the rows of a chunk say of one field, where most say the same each value once.
 * A condition then looks at few values that lie together, and not into every entry. A column is made when a query names
 * its field; of a chunk that has changed since, from the one before. What no query names any more is dropped.
 */

import { LRUCache } from 'lru-cache';
import type { Field, FieldValue } from '../query/filters.ts';
import type { ListedGameServer } from '../registry/game-server.ts';
import type { Chunk } from '../registry/snapshot/chunk.ts';
import type { Layout } from '../registry/snapshot/layout.ts';
import { ROWS_AT_ONCE, type Work } from '../work/work.ts';

/** What the rows of one chunk say of one field. */
export interface Column {
  /** Some of them perhaps no row says any more. */
  readonly values: readonly FieldValue[];
  /**
   * Of each row the index of its value, as the units of a string: no array of small numbers is smaller. Undefined: each
   * row has its own value, at its own index.
   */
  readonly codes: string | undefined;
}

type Rows = readonly ListedGameServer[];
type ListedField = Field<ListedGameServer>;

/** The columns of one field. Chunks that follow each other share one as long as their rows say the same. */
type FieldColumns = WeakMap<Layout, { readonly column: Column; readonly revision: number }>;

/** A code then is one byte of a string. */
const MOST_CODED_VALUES = 256;

/** Of so many fields columns are kept: all that every entry has, and some keys of meta. */
const MOST_FIELDS = 32;
/** So long, after a query named the field. */
const KEPT_MS = 5 * 60_000;

const columns = new LRUCache<string, FieldColumns>({ max: MOST_FIELDS, ttl: KEPT_MS, updateAgeOnGet: true });

/** The column of a field. */
export function* columnOf(field: ListedField, { rows, layout, revision }: Chunk): Work<Column> {
  let known = columns.get(field.name);
  if (known === undefined) columns.set(field.name, (known = new WeakMap()));
  const last = known.get(layout);
  if (last?.revision === revision) return last.column;
  const changed = last && layout.changedSince(Math.min(last.revision, revision));
  const column =
    (changed && changedColumn(last.column, rows, field, changed)) ?? (yield* createColumn(rows, field));
  known.set(layout, { column, revision });
  return column;
}

/** The index in the column of what the row at this index says. */
export function codeAt({ codes }: Column, index: number): number {
  return codes === undefined ? index : codes.charCodeAt(index);
}

function* createColumn(rows: Rows, { valueOf }: ListedField): Work<Column> {
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

/** The column with what the rows at these indices say now. Undefined if it would have too many values. */
function changedColumn(
  before: Column,
  rows: Rows,
  { valueOf }: ListedField,
  changed: ReadonlySet<number>,
): Column | undefined {
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
function keyOf(value: FieldValue): Exclude<FieldValue, readonly string[]> {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
