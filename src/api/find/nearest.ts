/**
 * Queries by how near entries are to a reader: `near=fra:12,nyc:80` has what the reader measured to the beacons, and
 * makes `near` a field to sort and filter by. Without it `sort=near` goes by country and continent, where the service
 * knows that of the reader. Such a query is that of one reader: nothing of it is kept, and no cache may store its
 * answer.
 */

import { continentOf } from '../../model/country.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import { NEAR, nearMs, parseNear, type BeaconMap, type Point } from '../../model/near.ts';
import type { Field, FieldValue } from '../../model/query/filters.ts';
import { LISTED, LISTED_FIELDS, LISTED_SORTABLES } from '../../model/query/listed-fields.ts';
import { decode, splitQuery } from '../../model/query/parameters.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { Client } from '../http/client.ts';
import type { Context } from '../http/context.ts';
import { parsePageQuery, type FoundBy, type PageQuery } from './page-query.ts';

/** The page that a reader asks for. */
export interface NearQuery {
  readonly page: PageQuery;
  /** How near an entry is, in ms; undefined where that cannot be told. */
  readonly nearMsOf: (row: ListedGameServer) => number | undefined;
}

export interface NearestOptions {
  /** The end of every cursor of this registry. */
  readonly cursorMark: string;
  /** Undefined where there are no beacons. */
  readonly beacons: BeaconMap | undefined;
  readonly countryOf?: Context['countryOf'];
}

/**
 * A reader of raw query strings without their `?`. It returns undefined for one in which nothing is near, and throws a
 * ServiceError `invalid_query` or `invalid_cursor`.
 */
export function createNearest({ cursorMark, beacons, countryOf }: NearestOptions) {
  const points: Field<ListedGameServer> = {
    name: `points of ${beacons?.text}`,
    valueOf: (row) => pointOf(row.details.fields.latency),
  };

  function pointOf(latency: Parameters<BeaconMap['pointOf']>[0] | undefined): Point | undefined {
    const point = latency && beacons?.pointOf(latency);
    return point !== undefined && beacons!.isPossible(point) ? point : undefined;
  }

  function readerIn(text: string): Point {
    const latency = parseNear(text);
    const point = latency && beacons?.pointOf(latency);
    if (point !== undefined) return point;
    throw wrong(
      beacons === undefined
        ? 'cannot be told: this service names no beacons'
        : `must be what was measured to beacons of GET /beacons, in ms, as in ${beacons.beacons[0]!.id}:12`,
    );
  }

  return (raw: string, { address, doubt }: Client): NearQuery | undefined => {
    if (!raw.includes(NEAR)) return undefined;
    const parameters = splitQuery(raw);
    const said = parameters.filter(({ name, rawValue }) => name === NEAR && /:|%3a/i.test(rawValue));
    const isSorted = parameters.some(
      ({ name, rawValue }) => name === 'sort' && /(?:^|,|%2c)-?near(?:,|%2c|$)/i.test(rawValue),
    );
    if (said.length > 1) throw wrong('is given more than once');
    const rest = parameters.filter((parameter) => parameter !== said[0]).map(({ pair }) => pair);
    if (said.length === 0) {
      const isFiltered = parameters.some(({ name }) => name === NEAR || name === `${NEAR}!`);
      if (!isSorted && !isFiltered) return undefined;
      if (isFiltered || countryOf === undefined)
        throw wrong('needs what the reader measured to beacons of GET /beacons, as in near=fra:12');
      const rank = rankFrom(doubt === undefined ? countryOf(address) : undefined);
      const by = foundBy({ name: 'country', valueOf: (row) => row.details.fields.country }, rank);
      return { page: parsePageQuery(rest.join('&'), cursorMark, by), nearMsOf: () => undefined };
    }
    const reader = readerIn(decode(said[0]!.rawValue) ?? '');
    const by = foundBy(points, (point, most) =>
      point === undefined ? undefined : nearMs(reader, point as Point, most),
    );
    const page = parsePageQuery(rest.join('&'), cursorMark, by);
    const textOfAll = [said[0]!.pair, page.textOfAll].filter((text) => text !== '').join('&');
    return {
      page: { ...page, textOfAll },
      nearMsOf: by.sortables.get(NEAR)!.valueOf as NearQuery['nearMsOf'],
    };
  };
}

function wrong(message: string): ServiceError {
  return new ServiceError('invalid_query', {
    message: `${NEAR} ${message}`,
    details: [{ field: NEAR, message }],
  });
}

/** 0 for an entry in the country, 1 on its continent, 2 elsewhere. */
function rankFrom(home: string | undefined): (country: FieldValue) => number {
  const continent = home && continentOf(home);
  return (country) => {
    if (typeof country !== 'string' || continent === undefined) return 2;
    return country === home ? 0 : continentOf(country) === continent ? 1 : 2;
  };
}

/** The fields of entries with one more, which is worked out from the values of another: that one has columns. */
function foundBy(
  field: Field<ListedGameServer>,
  derive: (value: FieldValue, most?: number) => number | undefined,
): FoundBy {
  const valueOf = Object.assign((row: ListedGameServer) => derive(field.valueOf(row)), {
    from: { field, derive },
  });
  return {
    searched: {
      ...LISTED,
      fields: { ...LISTED_FIELDS, number: { ...LISTED_FIELDS.number, [NEAR]: valueOf } },
    },
    sortables: {
      names: [...LISTED_SORTABLES.names, NEAR],
      get: (name) => (name === NEAR ? { type: 'number', valueOf } : LISTED_SORTABLES.get(name)),
    },
  };
}
