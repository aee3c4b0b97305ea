/**
 * The filters of `GET /servers`, applied here: what is in the list can be filtered during an outage, and without a
 * request. What a game server says under `meta` is not in the list, and is left to the service.
 */

import { createFields } from '../../query/fields.ts';
import { FilterReader, META, type Searched } from '../../query/filters.ts';
import { splitQuery } from '../../query/parameters.ts';
import type { ListedServer } from '../connection/messages.ts';

/** What the filters look at. */
export interface Searchable {
  readonly server: ListedServer;
  /** What is searched for words (searchedText). */
  readonly searchText: string;
}

/** The filters of a view. */
export interface ViewFilters {
  readonly matches: (entry: Searchable) => boolean;
  /** The parameters that are right, as a raw query string. */
  readonly text: string;
  /** Those of them that only the service can tell. */
  readonly metaText: string;
  /** The names of the parameters that are wrong, which are left out. */
  readonly wrongNames: readonly string[];
}

export const FIELDS = createFields<{ readonly server: ListedServer }>({
  id: ({ server }) => server.id,
  ip: ({ server }) => server.ip,
  host: ({ server }) => server.host,
  name: ({ server }) => server.name,
  players: ({ server }) => server.players,
  maxPlayers: ({ server }) => server.max_players,
  details: ({ server }) => server,
});

const SEARCHED: Searched<Searchable> = {
  fields: FIELDS,
  searchedTextOf: ({ searchText }) => searchText,
  metaValuesOf: () => [],
};

/** Reads a raw query string without its `?`. Never throws: what is wrong is left out, and named. */
export function parseFilters(raw: string): ViewFilters {
  const here = new FilterReader(SEARCHED);
  const ofService = new FilterReader(SEARCHED);
  const right: string[] = [];
  const meta: string[] = [];
  const wrongNames = new Set<string>();
  for (const parameter of splitQuery(raw)) {
    const { name, pair } = parameter;
    const isMeta = name.startsWith(META);
    if ((isMeta ? ofService : here).add(parameter) === undefined) {
      right.push(pair);
      if (isMeta) meta.push(pair);
    } else wrongNames.add(name);
  }
  const { matches } = here.filters;
  return { matches, text: right.join('&'), metaText: meta.join('&'), wrongNames: [...wrongNames] };
}
