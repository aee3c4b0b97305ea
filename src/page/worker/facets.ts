/**
 * How many servers of the list have which region, mode, map, tag and version. A facet shows what else could be chosen:
 * its own filters do not count in it, and all others do. It is counted while the filters are shown, in one pass over
 * the list.
 */

import {
  FACETS,
  type Facet,
  type FacetAsk,
  type FacetAsks,
  type FacetName,
  type Facets,
  type FacetValue,
} from '../connection/messages.ts';
import { FIELDS, type Searchable, type ViewFilters } from './filters.ts';

/** What is counted. */
export interface Counted<Entry extends Searchable> {
  readonly entries: Iterable<Entry>;
  readonly filters: ViewFilters;
  /** Whether an entry may match at all. */
  readonly isAmong: (entry: Entry) => boolean;
}

type Counts = Map<string, { servers: number; players: number }>;

/** More values than these are sorted in parts. */
const VALUES_AT_ONCE = 1000;

/** The values of each facet, however many. */
function countAll<Entry extends Searchable>({
  entries,
  filters,
  isAmong,
}: Counted<Entry>): readonly Counts[] {
  const all = FACETS.map((): Counts => new Map());
  const ofFacets = FACETS.map((name) => filters.ofFacets[name].matches);
  for (const entry of entries) {
    if (!isAmong(entry) || !filters.ofOthers(entry)) continue;
    const missed = ofFacets.findIndex((matches) => !matches(entry));
    if (missed === -1) for (let at = 0; at < FACETS.length; at += 1) count(all[at]!, at, entry);
    else if (ofFacets.every((matches, at) => at <= missed || matches(entry)))
      count(all[missed]!, missed, entry);
  }
  return all;
}

/** `at`: of the facet. */
function count(counts: Counts, at: number, entry: Searchable): void {
  const name = FACETS[at]!;
  if (name !== 'tags') return add(counts, FIELDS.text[name](entry), entry);
  const tags = FIELDS.texts.tags(entry) ?? [];
  for (const [index, tag] of tags.entries()) if (tags.indexOf(tag) === index) add(counts, tag, entry);
}

function add(counts: Counts, value: string | undefined, { server }: Searchable): void {
  if (value === undefined) return;
  const known = counts.get(value);
  if (known === undefined) counts.set(value, { servers: 1, players: server.players });
  else {
    known.servers += 1;
    known.players += server.players;
  }
}

/** The commonest first, as the service has them. */
function compare(a: FacetValue, b: FacetValue): number {
  return b.servers - a.servers || b.players - a.players || (a.value < b.value ? -1 : 1);
}

/** What is told of a facet. `first`: values that come before all others; `last`: those that are told in any case. */
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

/** Whether a value contains the text, in whatever case. */
function sameCase(sought: string): (value: string) => boolean {
  const lower = sought.toLowerCase();
  return (value) => lower === '' || value.toLowerCase().includes(lower);
}

function valueOf(counts: Counts, value: string): FacetValue {
  return { value, ...(counts.get(value) ?? { servers: 0, players: 0 }) };
}

export class FacetCounter {
  #asked: FacetAsks | undefined;
  /** What was told last, and what had been asked for then. */
  #told: { readonly asked: FacetAsks; readonly facets: Facets } | undefined;

  /** Undefined: nobody asks any more. */
  ask(asked: FacetAsks | undefined): void {
    this.#asked = asked;
    if (asked === undefined) this.#told = undefined;
  }

  get isAsked(): boolean {
    return this.#asked !== undefined;
  }

  /** `isHeld`: values that were told stay where they are, and others come after them. */
  count<Entry extends Searchable>(counted: Counted<Entry>, isHeld: boolean): Facets {
    const asked = this.#asked!;
    const told = this.#told;
    const all = countAll(counted);
    const facetsOf = FACETS.map((name, at): readonly [FacetName, Facet] => {
      const isSame = isHeld && told?.asked[name].sought === asked[name].sought;
      const kept = isSame ? told.facets[name].values.map(({ value }) => value) : [];
      return [name, facetOf(all[at]!, asked[name], kept, counted.filters.ofFacets[name].named)];
    });
    const facets = Object.fromEntries(facetsOf) as Facets;
    this.#told = { asked, facets };
    return facets;
  }
}
