/**
 * The order of entries, and the cursor: the place of one entry in that order, as a text. A cursor holds values and no
 * state of a replica, so any replica accepts it at any time.
 */

import { didYouMean } from '../../model/did-you-mean.ts';
import { ServiceError } from '../../model/service-error.ts';
import { parseJson } from '../../model/json.ts';
import { NEAR } from '../../model/near.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import { compareRows, type PlaceInList } from '../../registry/snapshot/row.ts';
import { MOST_SORT_FIELDS } from '../../model/query/limits.ts';
import { LISTED_SORTABLES } from '../../model/query/listed-fields.ts';
import { Wrong } from '../../model/query/parse-query.ts';
import {
  comparatorOf,
  compareValues,
  LABEL_PREFIX,
  parseSort,
  type Compare,
  type SortKey,
  type SortValue,
} from '../../model/query/sort.ts';

/** The place of an entry, which need not be listed any more. */
export interface PlaceInOrder extends PlaceInList {
  /** The values of the fields by which the order compares, in its sequence. */
  readonly values: readonly SortValue[];
}

const NAMES = [...LISTED_SORTABLES.names, NEAR, `${LABEL_PREFIX}[^,]+`];

/** The form of the texts that parseOrder() accepts, as a regular expression. */
export const ORDER_PATTERN = `^-?(${NAMES.join('|')})(,-?(${NAMES.join('|')})){0,${MOST_SORT_FIELDS - 1}}$`;

/** A length in characters that no cursor of cursorAfter() reaches. */
const LONGEST_CURSOR = 4096;

export class Order {
  /** A canonical text: equal texts mean equal orders. '' for the order of registration. */
  readonly text: string;
  readonly compare: Compare<ListedGameServer>;
  /** The fields that are compared before the place in the list decides. */
  readonly keys: readonly SortKey<ListedGameServer>[];

  constructor(keys: readonly SortKey<ListedGameServer>[]) {
    this.text = keys.map(({ name, isDescending }) => (isDescending ? '-' : '') + name).join(',');
    this.keys = keys;
    this.compare = comparatorOf(keys, compareRows);
  }

  /** Whether this is the order of the list itself. */
  get isRegistration(): boolean {
    return this.keys.length === 0;
  }

  /** Whether the entry comes behind the place. */
  readonly isBehind = (row: ListedGameServer, place: PlaceInOrder): boolean => {
    for (const [index, { valueOf, isDescending }] of this.keys.entries()) {
      const result = compareValues(valueOf(row), place.values[index], isDescending);
      if (result !== 0) return result > 0;
    }
    return compareRows(row, place) > 0;
  };

  /** Compares two places as `compare` does their entries, without working out their values again. */
  readonly comparePlaces = (a: PlaceInOrder, b: PlaceInOrder): number => {
    for (const [index, { isDescending }] of this.keys.entries()) {
      const result = compareValues(a.values[index], b.values[index], isDescending);
      if (result !== 0) return result;
    }
    return compareRows(a, b);
  };

  placeOf(row: ListedGameServer): PlaceInOrder {
    const { registeredVersion, id } = row;
    return { registeredVersion, id, values: this.keys.map(({ valueOf }) => valueOf(row)) };
  }

  /** The cursor of the entries behind this one. */
  cursorAfter(row: ListedGameServer): string {
    const { registeredVersion, id, values } = this.placeOf(row);
    return encodeCursor([this.text, registeredVersion, id, ...values.map((value) => value ?? null)]);
  }

  /** Reads a cursor of this order. Throws a ServiceError `invalid_cursor`. */
  parseCursor(cursor: string): PlaceInOrder {
    const content = decodeCursor(cursor);
    const [order, registeredVersion, id, ...values] = content;
    if (
      order !== this.text ||
      !Number.isSafeInteger(registeredVersion) ||
      typeof id !== 'string' ||
      values.length !== this.keys.length ||
      !values.every((value, index) => value === null || typeof value === this.keys[index]!.type) ||
      encodeCursor(content) !== cursor
    )
      throw new ServiceError('invalid_cursor');
    return {
      registeredVersion: registeredVersion as number,
      id,
      values: values.map((value) => (value ?? undefined) as SortValue),
    };
  }
}

/** The order of the list itself. */
const REGISTRATION = new Order([]);

function encodeCursor(content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Returns an empty array for a text that is no cursor. */
function decodeCursor(cursor: string): readonly unknown[] {
  if (cursor.length > LONGEST_CURSOR) return [];
  const content = parseJson(Buffer.from(cursor, 'base64url').toString());
  return Array.isArray(content) ? (content as unknown[]) : [];
}

/** Reads the value of `sort` (parseSort); '' means the order of registration. */
export function parseOrder(text: string, sortables = LISTED_SORTABLES): Order | Wrong {
  if (text === '') return REGISTRATION;
  const fields = parseSort(text, sortables);
  if (typeof fields === 'string')
    return new Wrong(`must name fields like -players,name${hintFor(fields, sortables.names)}`);
  if (fields.length > MOST_SORT_FIELDS) return new Wrong(`must name at most ${MOST_SORT_FIELDS} fields`);
  return new Order(fields);
}

function hintFor(name: string, names: readonly string[]): string {
  return didYouMean(name.slice(0, 64), names) || `: there are ${names.join(', ')} and ${LABEL_PREFIX}…`;
}
