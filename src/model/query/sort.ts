/** Sorting: the fields by which a query sorts, and how entries compare by them. */

import type { QueryFields } from './fields.ts';

/** The value by which an entry is sorted; undefined if the entry has none. */
export type SortValue = string | number | boolean | undefined;

/** The functions that read the fields by which entries can be sorted, by name. */
export type Sortables<Row> = ReadonlyMap<string, (row: Row) => SortValue>;

export interface SortKey<Row> {
  readonly name: string;
  readonly isDescending: boolean;
  readonly valueOf: (row: Row) => SortValue;
}

/** The fields that have an order, and the time of registration. */
export function createSortables<Row>(
  { text, number, boolean }: QueryFields<Row>,
  registeredAt: (row: Row) => number,
): Sortables<Row> {
  return new Map(Object.entries({ registered_at: registeredAt, ...text, ...number, ...boolean }));
}

/**
 * Parses names of fields, separated by commas, each with a minus before it if it is descending. Of a name that is there
 * twice the first counts. Returns a name alone if no field has it. The caller must refuse more than MOST_SORT_FIELDS.
 */
export function parseSort<Row>(text: string, sortables: Sortables<Row>): readonly SortKey<Row>[] | string {
  const fields = new Map<string, SortKey<Row>>();
  for (const each of text.split(',')) {
    const isDescending = each.startsWith('-');
    const name = isDescending ? each.slice(1) : each;
    const valueOf = sortables.get(name);
    if (valueOf === undefined) return name;
    if (!fields.has(name)) fields.set(name, { name, isDescending, valueOf });
  }
  return [...fields.values()];
}

/**
 * Missing values come last in both directions. Texts compare by their UTF-16 units, which is the same everywhere. False
 * comes before true.
 */
export function compareValues(a: SortValue, b: SortValue, isDescending: boolean): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b !== isDescending ? -1 : 1;
}

export type Compare<Row> = (a: Row, b: Row) => number;

/** Compares by each field in turn, and by `compareEqual` if all of them are equal. */
export function comparatorOf<Row>(
  [first, ...others]: readonly SortKey<Row>[],
  compareEqual: Compare<Row>,
): Compare<Row> {
  if (first === undefined) return compareEqual;
  const { valueOf, isDescending } = first;
  const compareFurther = comparatorOf(others, compareEqual);
  return (a, b) => compareValues(valueOf(a), valueOf(b), isDescending) || compareFurther(a, b);
}
