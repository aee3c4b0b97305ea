/** The query for a page of servers. */

import { ServiceError } from '../../model/service-error.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { Filters, Searched } from '../../model/query/filters.ts';
import { ORDER_PATTERN, parseOrder, type Order, type PlaceInOrder } from './order.ts';
import { parseQuery, Wrong, type SingleParameters } from '../../model/query/parse-query.ts';
import type { Sortables } from '../../model/query/sort.ts';

const USUAL_LIMIT = 100;
const MOST_IN_PAGE = 1000;

export interface PageQuery {
  /** A canonical text: equal texts mean equal pages. */
  readonly text: string;
  /** The same text without the cursor, to which withCursor() adds that of the next page. */
  readonly textOfAll: string;
  readonly filters: Filters;
  readonly order: Order;
  readonly limit: number;
  /** The place behind which the page begins; undefined for the first page. */
  readonly after: PlaceInOrder | undefined;
  readonly withMeta: boolean;
}

interface PageParameters {
  readonly sort?: Order;
  readonly limit?: number;
  readonly cursor?: string;
  readonly include?: boolean;
}

export const PAGE_PARAMETERS: SingleParameters<PageParameters> = {
  sort: {
    description:
      'The order: up to four names of fields, separated by commas. A minus before a name turns its order round. Without it servers come in order of registration.',
    schema: { type: 'string', pattern: ORDER_PATTERN },
    read: readSort,
  },
  limit: {
    description: 'How many servers a page has at most.',
    schema: { type: 'integer', minimum: 1, maximum: MOST_IN_PAGE, default: USUAL_LIMIT },
    read: (value) =>
      /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MOST_IN_PAGE
        ? Number(value)
        : new Wrong(`must be an integer from 1 to ${MOST_IN_PAGE}`),
  },
  cursor: {
    description: 'The `next` of the page before, with all other parameters as they were.',
    schema: { type: 'string', minLength: 1 },
    read: (value) => value,
  },
  include: {
    description: '`meta`: with the `meta` of each server.',
    schema: { type: 'string', enum: ['meta'] },
    read: (value) => (value === 'meta' ? true : new Wrong('must be meta')),
  },
};

function readSort(value: string, sortables?: Sortables<ListedGameServer>): Order | Wrong {
  return value === ''
    ? new Wrong('must not be empty: leave it out, or name fields')
    : parseOrder(value, sortables);
}

/** The fields by which entries are filtered and sorted. */
export interface FoundBy {
  readonly searched: Searched<ListedGameServer>;
  readonly sortables: Sortables<ListedGameServer>;
}

/**
 * Reads a raw query string without its `?`. `mark`: the end of every cursor of this registry. Throws a ServiceError
 * `invalid_query` or `invalid_cursor`.
 */
export function parsePageQuery(raw: string, mark = '', by?: FoundBy): PageQuery {
  const sort = { ...PAGE_PARAMETERS.sort, read: (value: string) => readSort(value, by?.sortables) };
  const { filters, further } = parseQuery(raw, { ...PAGE_PARAMETERS, sort }, by?.searched);
  const { sort: order = parseOrder('') as Order, limit = USUAL_LIMIT, cursor, include = false } = further;
  if (cursor?.endsWith(mark) === false) throw new ServiceError('invalid_cursor');
  const after =
    cursor === undefined ? undefined : order.parseCursor(cursor.slice(0, cursor.length - mark.length));
  const textOfAll = [
    ...(filters.isEmpty ? [] : [filters.text]),
    ...(order.isRegistration ? [] : [`sort=${order.text}`]),
    ...(limit === USUAL_LIMIT ? [] : [`limit=${limit}`]),
    ...(include ? ['include=meta'] : []),
  ].join('&');
  const text = cursor === undefined ? textOfAll : withCursor(textOfAll, cursor);
  return { text, textOfAll, filters, order, limit, after, withMeta: include };
}

/** The query for the page that begins at the cursor. */
export function withCursor(textOfAll: string, cursor: string): string {
  return `${textOfAll}${textOfAll === '' ? '' : '&'}cursor=${cursor}`;
}
