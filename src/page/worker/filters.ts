/**
 * The filters of `GET /servers`, applied in the page: so the list can be filtered during an outage, and without a
 * request. The list has some keys of `meta`; filters by other keys are left to the service.
 */

import { FilterReader, metaValues, type Searched } from '../../model/query/filters.ts';
import { decode, splitQuery, type RawParameter } from '../../model/query/parameters.ts';
import { facetNames, metaKeyOf, type FacetName } from '../connection/messages.ts';
import { FIELDS } from '../../model/view/list-order.ts';
import type { Searchable } from '../../model/view/followed-list.ts';

type Matches = (entry: Searchable) => boolean;

export interface ViewFilters {
  readonly matches: Matches;
  /** The filters that choose values of a facet. A filter for all but some values, such as `map!`, is none of them. */
  readonly ofFacets: ReadonlyMap<FacetName, FacetFilters>;
  readonly ofOthers: Matches;
  /** The valid parameters, as a raw query string. */
  readonly text: string;
  /** The valid parameters that only the service can apply. */
  readonly metaText: string;
  /** The names of invalid parameters, which are ignored. */
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
 * Reads a raw query string without its `?`. `metaKeys`: the keys that the list has. Never throws: invalid parameters
 * are ignored, and named in the result.
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
  // A search is among the others, and is the most expensive filter.
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
