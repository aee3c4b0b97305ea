/** The fields of the entries of the list, as the service keeps them. */

import { shownPlayersOf, type ListedGameServer } from '../game-server.ts';
import { createFields, type FieldKind } from './fields.ts';
import { metaValues, type Searched } from './filters.ts';
import { searchedText } from './search.ts';
import { createSortables } from './sort.ts';

export const LISTED_FIELDS = createFields<ListedGameServer>({
  id: (row) => row.id,
  ip: (row) => row.ip,
  host: (row) => row.host,
  name: (row) => row.name,
  players: shownPlayersOf,
  maxPlayers: (row) => row.maxPlayers,
  details: (row) => row.details.fields,
  labels: (row) => row.labels,
});

export const LISTED_SORTABLES = createSortables(LISTED_FIELDS, (row) => row.registeredVersion);

/**
 * The searched texts by the state of an entry, so that any number of queries share them. They are in many maps, since a
 * single one with a million entries would hold the event loop each time it grows.
 */
const searchedTexts = Array.from({ length: 64 }, () => new WeakMap<ListedGameServer, string>());

function searchedTextOf(row: ListedGameServer): string {
  const known = searchedTexts[row.registeredVersion % searchedTexts.length]!;
  let text = known.get(row);
  if (text === undefined) {
    text = searchedText(row, row.details.fields);
    known.set(row, text);
  }
  return text;
}

export const LISTED: Searched<ListedGameServer> = {
  fields: LISTED_FIELDS,
  searchedTextOf,
  metaValuesOf: ({ details }, key) => metaValues(details.fields.meta, key),
};

/** The kinds of the filters by name, in the order in which the API describes them. */
export const FILTER_KINDS = new Map<string, FieldKind>(
  (Object.keys(LISTED_FIELDS) as FieldKind[]).flatMap((kind) =>
    Object.keys(LISTED_FIELDS[kind]).map((name) => [name, kind] as const),
  ),
);
