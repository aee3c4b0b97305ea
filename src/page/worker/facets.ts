/**
 * Counts the servers of the list by region, mode, map, tag and version, and by some keys of `meta`. A facet shows which
 * other values could be chosen: its own filters do not count in it, and all others do. All facets are counted in one
 * pass over the list, while the filters or the overview are shown.
 */

import { metaValues } from '../../model/query/filters.ts';
import {
  metaKeyOf,
  type Facet,
  type FacetAsk,
  type FacetAsks,
  type FacetName,
  type Facets,
  type FacetValue,
  type Totals,
} from '../connection/messages.ts';
import { FIELDS } from '../../model/view/list-order.ts';
import type { Searchable } from '../../model/view/followed-list.ts';
import type { ViewFilters } from './filters.ts';

/** The input of a count. */
export interface Counted<Entry extends Searchable> {
  readonly entries: Iterable<Entry>;
  readonly filters: ViewFilters;
  /** Whether an entry may match at all. */
  readonly isAmong: (entry: Entry) => boolean;
}

type Counts = Map<string, { servers: number; players: number }>;

/** How many values are sorted at once; more of them are sorted in parts. */
const VALUES_AT_ONCE = 1000;

interface CountedFacet {
  readonly name: FacetName;
  readonly named: readonly string[];
  readonly matches: (entry: Searchable) => boolean;
  readonly said: (entry: Searchable) => string | readonly string[] | undefined;
  /** The counts of all values, however many there are. */
  readonly counts: Counts;
}

function countAll<Entry extends Searchable>({
  entries,
  filters,
  isAmong,
}: Counted<Entry>): {
  readonly all: readonly CountedFacet[];
  readonly totals: Totals;
} {
  const totals = { servers: 0, players: 0, places: 0, empty: 0, full: 0 };
  const all = Array.from(filters.ofFacets, ([name, ofFacet]): CountedFacet => ({
    name,
    ...ofFacet,
    said: readerOf(name),
    counts: new Map(),
  }));
  for (const entry of entries) {
    if (!isAmong(entry) || !filters.ofOthers(entry)) continue;
    const missed = all.findIndex(({ matches }) => !matches(entry));
    if (missed === -1) {
      for (const facet of all) count(facet, entry);
      addTo(totals, entry);
    } else if (all.every(({ matches }, at) => at <= missed || matches(entry))) count(all[missed]!, entry);
  }
  return { all, totals };
}

function addTo(totals: { -readonly [name in keyof Totals]: number }, entry: Searchable): void {
  const { players, max_players: places } = entry.server;
  totals.servers += 1;
  totals.players += players;
  totals.places += places;
  if (FIELDS.boolean.empty!(entry)) totals.empty += 1;
  if (FIELDS.boolean.full!(entry)) totals.full += 1;
}

/** A reader of the values that an entry has in the field. */
function readerOf(name: FacetName): CountedFacet['said'] {
  const metaKey = metaKeyOf(name);
  if (metaKey !== undefined) return ({ server }) => metaValues(server.meta, metaKey);
  return FIELDS.texts[name] ?? FIELDS.text[name]!;
}

function count({ said, counts }: CountedFacet, entry: Searchable): void {
  const values = said(entry);
  if (typeof values === 'string') add(counts, values, entry);
  // A value may be there twice.
  else if (values !== undefined) for (const value of new Set(values)) add(counts, value, entry);
}

function add(counts: Counts, value: string, { server }: Searchable): void {
  // No filter can name an empty value.
  if (value === '') return;
  const known = counts.get(value);
  if (known === undefined) counts.set(value, { servers: 1, players: server.players });
  else {
    known.servers += 1;
    known.players += server.players;
  }
}

/** Puts the most common values first, as the service does. */
function compare(a: FacetValue, b: FacetValue): number {
  return b.servers - a.servers || b.players - a.players || (a.value < b.value ? -1 : 1);
}

/** The part of a facet to send. `first`: values that come before all others. `last`: values that are always sent. */
function facetOf(
  counts: Counts,
  { most, sought }: FacetAsk,
  first: readonly string[],
  last: readonly string[],
): Facet {
  const isSought = sameCase(sought);
  const told = new Map(first.filter(isSought).map((value) => [value, valueOf(counts, value)]));
  let found: FacetValue[] = [];
  let matching = 0;
  for (const value of counts.keys()) {
    if (!isSought(value)) continue;
    matching += 1;
    if (told.has(value)) continue;
    found.push(valueOf(counts, value));
    if (found.length >= most + VALUES_AT_ONCE) found = found.toSorted(compare).slice(0, most);
  }
  for (const each of found.toSorted(compare)) if (told.size < most) told.set(each.value, each);
  for (const value of last) told.set(value, told.get(value) ?? valueOf(counts, value));
  const values = [...told.values()];
  const named = values.filter(({ value }) => counts.has(value) && isSought(value)).length;
  return { values, more: matching - named };
}

/** A test whether a value contains the text, in any case. */
function sameCase(sought: string): (value: string) => boolean {
  const lower = sought.toLowerCase();
  return (value) => lower === '' || value.toLowerCase().includes(lower);
}

function valueOf(counts: Counts, value: string): FacetValue {
  return { value, ...(counts.get(value) ?? { servers: 0, players: 0 }) };
}

export class FacetCounter {
  #asked: FacetAsks | undefined;
  /** The last facets that were sent, with the request for them. */
  #told: { readonly asked: FacetAsks; readonly facets: Facets } | undefined;

  /** `asked`: undefined ends the counting. */
  ask(asked: FacetAsks | undefined): void {
    this.#asked = asked;
    if (asked === undefined) this.#told = undefined;
  }

  get isAsked(): boolean {
    return this.#asked !== undefined;
  }

  /** `isHeld`: values that were sent keep their places, and others come after them. */
  count<Entry extends Searchable>(
    counted: Counted<Entry>,
    isHeld: boolean,
  ): { readonly facets: Facets; readonly totals: Totals } {
    const asked = this.#asked!;
    const told = this.#told;
    const { all, totals } = countAll(counted);
    const facetsOf = all.map(({ name, counts, named }): readonly [FacetName, Facet] => {
      const ask = asked[name]!;
      const isSame = isHeld && told?.asked[name]?.sought === ask.sought;
      const kept = isSame ? told.facets[name]!.values.map(({ value }) => value) : [];
      return [name, facetOf(counts, ask, kept, named)];
    });
    const facets = Object.fromEntries(facetsOf) as Facets;
    this.#told = { asked, facets };
    return { facets, totals };
  }
}
