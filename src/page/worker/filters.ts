/**
 * The filters of `GET /servers`, applied here: what is in the list can be filtered during an outage, and without a
 * request. Of `meta` the list has some keys; a filter by another one is left to the service.
 */

import { FilterReader, metaValues, type Searched } from '../../model/query/filters.ts';
import { decode, splitQuery, type RawParameter } from '../../model/query/parameters.ts';
import { facetNames, metaKeyOf, type FacetName } from '../connection/messages.ts';
import { FIELDS } from '../../model/view/list-order.ts';
import type { Searchable } from '../../model/view/followed-list.ts';

type Matches = (entry: Searchable) => boolean;

/** The filters of a view. */
export interface ViewFilters {
  readonly matches: Matches;
  /** Those that choose values of a facet. A filter for all but some values, such as `map!`, is none of them. */
  readonly ofFacets: ReadonlyMap<FacetName, FacetFilters>;
  readonly ofOthers: Matches;
  /** The parameters that are right, as a raw query string. */
  readonly text: string;
  /** Those of them that only the service can tell. */
  readonly metaText: string;
  /** The names of the parameters that are wrong, which are left out. */
  readonly wrongNames: readonly string[];
}

export interface FacetFilters {
  readonly matches: Matches;
  /** The values that are named in full. */
  readonly named: readonly string[];
}

const SEARCHED: Searched<Searchable> = {
  fields: FIELDS,
  searchedTextOf: ({ searchText }) => searchText,
  metaValuesOf: ({ server }, key) => metaValues(server.meta, key),
};

/**
 * Reads a raw query string without its `?`. `metaKeys`: those that the list has. Never throws: what is wrong is left
 * out, and named.
 */
export function parseFilters(raw: string, metaKeys: readonly string[] = []): ViewFilters {
  const names = facetNames(metaKeys);
  const facets = new Map(names.map((name) => [name as string, new FilterReader(SEARCHED)]));
  const isOfService = ({ name }: RawParameter): boolean =>
    metaKeyOf(name) !== undefined && !facets.has(name.replace(/!$/, ''));
  const others = new FilterReader(SEARCHED);
  const ofService = new FilterReader(SEARCHED);
  const right: RawParameter[] = [];
  const wrongNames = new Set<string>();
  for (const parameter of splitQuery(raw)) {
    const { name } = parameter;
    const reader = isOfService(parameter) ? ofService : (facets.get(name) ?? others);
    if (reader.add(parameter) === undefined) right.push(parameter);
    else wrongNames.add(name);
  }
  const ofFacets = new Map(
    names.map((name) => {
      const { matches } = facets.get(name)!.filters;
      return [name, { matches, named: namedIn(right, name) }];
    }),
  );
  const ofOthers = others.filters.matches;
  // A search is among the others, and costs most.
  const all = [...Array.from(ofFacets.values(), ({ matches }) => matches), ofOthers];
  return {
    matches: (entry) => all.every((matches) => matches(entry)),
    ofFacets,
    ofOthers,
    text: textOf(right),
    metaText: textOf(right.filter(isOfService)),
    wrongNames: [...wrongNames],
  };
}

function textOf(parameters: readonly RawParameter[]): string {
  return parameters.map(({ pair }) => pair).join('&');
}

function namedIn(parameters: readonly RawParameter[], name: string): readonly string[] {
  const values = parameters.flatMap((each) => (each.name === name ? each.rawValue.split(',') : []));
  return values.filter((value) => !value.endsWith('*')).map((value) => decode(value)!);
}
