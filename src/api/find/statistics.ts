/** Statistics of the entries that match filters. The counts of a chunk are kept as long as the chunk is in the list. */

import { shownPlayersOf, type ListedGameServer } from '../../model/game-server.ts';
import type { Chunk } from '../../registry/snapshot/chunk.ts';
import type { Snapshot } from '../../registry/snapshot/snapshot.ts';
import { Body } from '../work/body.ts';
import { isFull } from '../../model/query/fields.ts';
import type { Filters } from '../../model/query/filters.ts';
import { parseQuery } from '../../model/query/parse-query.ts';
import { LatestAnswers } from '../work/latest-answers.ts';
import type { OnQuery } from './query-matches.ts';
import { Selection } from './selection.ts';
import type { Turns } from '../work/turns.ts';
import type { Asker, Work } from '../work/work.ts';

/** The fields whose values are counted, with the names of their lists in the answer. */
const FACETS = {
  region: 'regions',
  country: 'countries',
  mode: 'modes',
  map: 'maps',
  version: 'versions',
} as const;
const FACET_NAMES = Object.keys(FACETS) as (keyof typeof FACETS)[];

/** How many values of each facet are named; the others are counted together. */
const MOST_VALUES = 50;

/** The size of all counts that are kept, in bytes. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** The memory for one value of one chunk, and for a chunk beside its values, in bytes. */
const VALUE_BYTES = 100;
const CHUNK_BYTES = 600;
/** How many values are examined between two pauses, which takes some 0.1 ms. */
const VALUES_AT_ONCE = 1000;

interface Count {
  servers: number;
  players: number;
}

interface ValueCount extends Count {
  readonly value: string;
}

/** The counts of some entries. */
class Counts {
  servers = 0;
  players = 0;
  maxPlayers = 0;
  empty = 0;
  full = 0;
  readonly facets: readonly Map<string, Count>[] = FACET_NAMES.map(() => new Map<string, Count>());
  /** An entry may have several labels. */
  readonly labels = new Map<string, Count>();

  addRow(row: ListedGameServer): void {
    const { maxPlayers, details, labels = [] } = row;
    const players = shownPlayersOf(row);
    this.servers += 1;
    this.players += players;
    this.maxPlayers += maxPlayers;
    if (players === 0) this.empty += 1;
    if (isFull(players, maxPlayers)) this.full += 1;
    for (const [index, name] of FACET_NAMES.entries()) {
      const value = details.fields[name];
      if (value !== undefined) add(this.facets[index]!, value, { servers: 1, players });
    }
    for (const label of labels) add(this.labels, label, { servers: 1, players });
  }

  /** Adds the counts of other entries. */
  *addAll(others: Counts): Work<void> {
    this.servers += others.servers;
    this.players += others.players;
    this.maxPlayers += others.maxPlayers;
    this.empty += others.empty;
    this.full += others.full;
    for (const [index, facet] of others.facets.entries())
      for (const [value, count] of facet) add(this.facets[index]!, value, count);
    for (const [label, count] of others.labels) add(this.labels, label, count);
    yield;
  }
}

function add(facet: Map<string, Count>, value: string, { servers, players }: Readonly<Count>): void {
  const count = facet.get(value);
  if (count === undefined) facet.set(value, { servers, players });
  else {
    count.servers += servers;
    count.players += players;
  }
}

/** Puts the most common values first. Between equals the value decides, so that all replicas name the same ones. */
function compareCounts(a: ValueCount, b: ValueCount): number {
  return b.servers - a.servers || b.players - a.players || (a.value < b.value ? -1 : 1);
}

function* commonest(facet: ReadonlyMap<string, Count>): Work<readonly ValueCount[]> {
  let found: ValueCount[] = [];
  const cut = (): void => void (found = found.toSorted(compareCounts).slice(0, MOST_VALUES));
  for (const [value, count] of facet) {
    found.push({ value, ...count });
    if (found.length < VALUES_AT_ONCE) continue;
    cut();
    yield;
  }
  cut();
  return found;
}

/** The counts of the entries that match these filters. */
class MatchingCounts {
  readonly #filters: Filters;
  readonly #selection = new Selection();
  readonly #known = new WeakMap<Chunk, Counts>();
  #bytes = 0;

  constructor(filters: Filters) {
    this.#filters = filters;
  }

  /** The memory for the kept counts at the last call, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  *of({ chunks }: Snapshot): Work<Counts> {
    const all = new Counts();
    let values = 0;
    for (const chunk of chunks) {
      const counts = this.#known.get(chunk) ?? (yield* this.#count(chunk));
      values = counts.facets.reduce((sum, { size }) => sum + size, values);
      yield* all.addAll(counts);
    }
    this.#bytes = CHUNK_BYTES * chunks.length + VALUE_BYTES * values;
    return all;
  }

  *#count(chunk: Chunk): Work<Counts> {
    const counts = new Counts();
    yield* this.#selection.match(chunk, this.#filters.conditions);
    for (const row of this.#selection.rows()) counts.addRow(row);
    yield;
    this.#known.set(chunk, counts);
    return counts;
  }
}

/** The answer that is kept for one query. */
interface KeptStats {
  readonly body: Body;
  /** The memory for the answer and the counts that it is made from. */
  readonly bytes: number;
}

export class Stats {
  readonly #answers: LatestAnswers<KeptStats>;
  readonly #onQuery: OnQuery | undefined;

  constructor(turns: Turns, onQuery?: OnQuery) {
    this.#answers = new LatestAnswers({ turns, keptBytes: KEPT_BYTES, bytesOf: ({ bytes }) => bytes });
    this.#onQuery = onQuery;
  }

  /** Reads a raw query string without its `?`. Throws a ServiceError `invalid_query`. */
  parse(raw: string): Filters {
    return parseQuery(raw).filters;
  }

  /** The statistics of this snapshot, or of a newer one that another caller supplied. Rejects with `overloaded`. */
  async answer(filters: Filters, snapshot: Snapshot, asker: Asker): Promise<Body> {
    const { text } = filters;
    this.#onQuery?.(this.#answers.has(text) ? 'kept' : 'new');
    const { body } = await this.#answers.of(text, snapshot, asker, () => {
      const counts = new MatchingCounts(filters);
      return function* (seen, last) {
        const made = yield* make(counts, seen, last?.body);
        return { body: made, bytes: text.length + counts.bytes };
      };
    });
    return body;
  }
}

function* make(matching: MatchingCounts, snapshot: Snapshot, last: Body | undefined): Work<Body> {
  const counts = yield* matching.of(snapshot);
  const { servers, players, maxPlayers, empty, full } = counts;
  const facets: Record<string, unknown> = {};
  for (const [index, name] of FACET_NAMES.entries()) {
    const named = yield* commonest(counts.facets[index]!);
    facets[FACETS[name]] = named;
    facets[`other_${FACETS[name]}`] = named.reduce(
      (rest, each) => ({ servers: rest.servers - each.servers, players: rest.players - each.players }),
      { servers, players },
    );
  }
  if (counts.labels.size > 0) facets['labels'] = yield* commonest(counts.labels);
  const answer = { status: 'success', servers, players, max_players: maxPlayers, empty, full, ...facets };
  const body = new Body(Buffer.from(JSON.stringify(answer)));
  return last?.hash === body.hash ? last : body;
}
