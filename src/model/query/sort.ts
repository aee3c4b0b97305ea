/** Sorting: the fields by which a query sorts, and how entries compare by them. */

import type { QueryFields } from './fields.ts';

/** The value by which an entry is sorted; undefined if the entry has none. */
export type SortValue = string | number | boolean | undefined;

/** A field that has an order. */
interface Sortable<Row> {
  /** The type of its values, where entries have one. */
  readonly type: 'string' | 'number' | 'boolean';
  readonly valueOf: (row: Row) => SortValue;
}

/** The fields by which entries can be sorted. */
export interface Sortables<Row> {
  /** The names of the fields; beside them there is one name for each label. */
  readonly names: readonly string[];
  /** Undefined if no field has the name. */
  readonly get: (name: string) => Sortable<Row> | undefined;
}

/** The beginning of the name that sorts by whether entries have a label. */
export const LABEL_PREFIX = 'label:';

export interface SortKey<Row> extends Sortable<Row> {
  readonly name: string;
  readonly isDescending: boolean;
}

/** The fields that have an order, the time of registration, and each label. */
export function createSortables<Row>(
  { text, texts, number, boolean }: QueryFields<Row>,
  registeredAt: (row: Row) => number,
): Sortables<Row> {
  const fields = new Map<string, Sortable<Row>>([
    ['registered_at', { type: 'number', valueOf: registeredAt }],
  ]);
  const add = (
    type: Sortable<Row>['type'],
    readers: Readonly<Record<string, (row: Row) => SortValue>>,
  ): void => {
    for (const [name, valueOf] of Object.entries(readers)) fields.set(name, { type, valueOf });
  };
  add('string', text);
  add('number', number);
  add('boolean', boolean);
  return {
    names: [...fields.keys()],
    get(name) {
      if (!name.startsWith(LABEL_PREFIX) || name.length === LABEL_PREFIX.length) return fields.get(name);
      const label = name.slice(LABEL_PREFIX.length);
      return { type: 'boolean', valueOf: (row) => texts['labels']!(row)?.includes(label) ?? false };
    },
  };
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
    const sortable = sortables.get(name);
    if (sortable === undefined) return name;
    if (!fields.has(name)) fields.set(name, { ...sortable, name, isDescending });
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
