/**
 * The order of entries, and the cursor: the place of one entry in it, as a text. A cursor names values and no state of
 * a replica, so any replica takes it at any time.
 */

import { didYouMean } from '../did-you-mean.ts';
import { ServiceError } from '../errors.ts';
import type { ListedGameServer } from '../registry/game-server.ts';
import { compareRows, type PlaceInList } from '../registry/snapshot/row.ts';
import { NUMBER_FIELDS, TEXT_FIELDS } from '../query/fields.ts';
import { Wrong } from '../query/parameters.ts';

type Value = string | number | undefined;

/** The place of an entry, which need not be listed any more. */
export interface Place extends PlaceInList {
  /** By what the order compares, in its sequence. */
  readonly values: readonly Value[];
}

interface SortField {
  readonly name: string;
  readonly isDescending: boolean;
  readonly valueOf: (row: ListedGameServer) => Value;
  readonly type: 'string' | 'number';
}

const SORTABLE = new Map<string, Pick<SortField, 'valueOf' | 'type'>>([
  ['registered_at', { valueOf: (row) => row.registeredVersion, type: 'number' }],
]);
for (const [name, valueOf] of Object.entries(TEXT_FIELDS)) SORTABLE.set(name, { valueOf, type: 'string' });
for (const [name, valueOf] of Object.entries(NUMBER_FIELDS)) SORTABLE.set(name, { valueOf, type: 'number' });

const NAMES = [...SORTABLE.keys()];

/** A longer order is refused, so that a cursor fits into a request. */
const MOST_FIELDS = 4;

/** What parseOrder() takes, as a regular expression. */
export const ORDER_PATTERN = `^-?(${NAMES.join('|')})(,-?(${NAMES.join('|')})){0,${MOST_FIELDS - 1}}$`;

/** Longer than any that cursorAfter() makes. */
const LONGEST_CURSOR = 4096;

/** Missing values come last in both directions. Texts compare by their UTF-16 units: the same on every replica. */
function compareValues(a: Value, b: Value, isDescending: boolean): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b !== isDescending ? -1 : 1;
}

export class Order {
  /** Canonical: equal texts mean equal orders. '' for that of registration. */
  readonly text: string;
  readonly compare: (a: ListedGameServer, b: ListedGameServer) => number;
  readonly #fields: readonly SortField[];

  constructor(fields: readonly SortField[]) {
    this.text = fields.map(({ name, isDescending }) => (isDescending ? '-' : '') + name).join(',');
    this.#fields = fields;
    this.compare = comparatorOf(fields);
  }

  /** Whether this is the order of the list itself. */
  get isRegistration(): boolean {
    return this.#fields.length === 0;
  }

  /** Whether the entry comes behind the place. */
  readonly isBehind = (row: ListedGameServer, place: Place): boolean => {
    for (const [index, { valueOf, isDescending }] of this.#fields.entries()) {
      const result = compareValues(valueOf(row), place.values[index], isDescending);
      if (result !== 0) return result > 0;
    }
    return compareRows(row, place) > 0;
  };

  /** The cursor of what comes behind the entry. */
  cursorAfter(row: ListedGameServer): string {
    const values = this.#fields.map(({ valueOf }) => valueOf(row) ?? null);
    return encodeCursor([this.text, row.registeredVersion, row.id, ...values]);
  }

  /** Reads a cursor of this order. Throws a ServiceError `invalid_cursor`. */
  parseCursor(cursor: string): Place {
    const content = decodeCursor(cursor);
    const [order, registeredVersion, id, ...values] = content;
    if (
      order !== this.text ||
      !Number.isSafeInteger(registeredVersion) ||
      typeof id !== 'string' ||
      values.length !== this.#fields.length ||
      !values.every((value, index) => value === null || typeof value === this.#fields[index]!.type) ||
      encodeCursor(content) !== cursor
    )
      throw new ServiceError('invalid_cursor');
    return {
      registeredVersion: registeredVersion as number,
      id,
      values: values.map((value) => (value ?? undefined) as Value),
    };
  }
}

/** The order of the list. */
const REGISTRATION = new Order([]);

function comparatorOf(fields: readonly SortField[]): Order['compare'] {
  const [first, ...others] = fields;
  if (first === undefined) return compareRows;
  const { valueOf, isDescending } = first;
  const compareFurther = comparatorOf(others);
  return (a, b) => compareValues(valueOf(a), valueOf(b), isDescending) || compareFurther(a, b);
}

function encodeCursor(content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** An empty array for a text that is no cursor. */
function decodeCursor(cursor: string): readonly unknown[] {
  if (cursor.length > LONGEST_CURSOR) return [];
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(content) ? (content as unknown[]) : [];
  } catch {
    return [];
  }
}

/**
 * Reads names of fields, separated by commas, each with a minus before it if it is descending. '' is the usual order.
 */
export function parseOrder(text: string): Order | Wrong {
  if (text === '') return REGISTRATION;
  const fields = new Map<string, SortField>();
  for (const each of text.split(',')) {
    const isDescending = each.startsWith('-');
    const name = isDescending ? each.slice(1) : each;
    const field = SORTABLE.get(name);
    if (field === undefined) return new Wrong(`must name fields like -players,name${hintFor(name)}`);
    if (!fields.has(name)) fields.set(name, { name, isDescending, ...field });
  }
  if (fields.size > MOST_FIELDS) return new Wrong(`must name at most ${MOST_FIELDS} fields`);
  return new Order([...fields.values()]);
}

function hintFor(name: string): string {
  return didYouMean(name.slice(0, 64), NAMES) || `: there are ${NAMES.join(', ')}`;
}
