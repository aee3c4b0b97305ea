/**
 * The entries that match filters, in an order. The matches of a chunk are kept as long as the chunk is in the list: a
 * change costs the work for one chunk. They are places of entries in their chunks, and keep no entry alive.
 */

import type { ListedGameServer } from '../../model/game-server.ts';
import type { Chunk } from '../../registry/snapshot/chunk.ts';
import type { Layout } from '../../registry/snapshot/layout.ts';
import { lowerBound } from '../../registry/snapshot/row.ts';
import type { Snapshot } from '../../registry/snapshot/snapshot.ts';
import type { Filters } from '../../model/query/filters.ts';
import type { Order, PlaceInOrder } from './order.ts';
import { select, type MatchingRows } from './select.ts';
import { Selection } from './selection.ts';
import type { Work } from '../work/work.ts';

/**
 * The matching rows of a chunk in the order of the query: their indices as the units of a string. No array of small
 * numbers is smaller, and the garbage collector does not look into a string, though it may hold a million of them.
 */
type Indices = string;

/** The matching rows of one chunk, and how far they have been read. */
interface Run {
  readonly rows: readonly ListedGameServer[];
  readonly indices: Indices;
  next: number;
}

/** How many chunks with known matches are read between two pauses, which takes some 10 µs. */
const KNOWN_AT_ONCE = 64;

/** The memory for one chunk beside its indices, in bytes. */
const CHUNK_BYTES = 200;

export class Matches {
  readonly #filters: Filters;
  readonly #order: Order;
  readonly #indices = new WeakMap<Chunk, Indices>();
  /** The last matches that were found for a chunk of each layout. */
  readonly #former = new WeakMap<Layout, { readonly indices: Indices; readonly revision: number }>();
  #bytes = 0;
  #isAskedAgain = false;

  constructor(filters: Filters, order: Order) {
    this.#filters = filters;
    this.#order = order;
  }

  /** The memory for the kept matches at the last call, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Finds up to `limit` entries behind a place, or from the beginning. The first call keeps no matches. */
  *find({ chunks }: Snapshot, limit: number, after?: PlaceInOrder): Work<MatchingRows> {
    const order = this.#order;
    if (!this.#isAskedAgain) {
      this.#isAskedAgain = true;
      return yield* select(chunks, this.#filters, order, limit, after);
    }
    const runs: Run[] = [];
    let total = 0;
    let left = 0;
    for (const [position, chunk] of chunks.entries()) {
      const known = this.#indices.get(chunk);
      const indices = known ?? (yield* this.#match(chunk));
      const { rows } = chunk;
      total += indices.length;
      const next = after === undefined ? 0 : firstBehind(rows, indices, order, after);
      if (next < indices.length) runs.push({ rows, indices, next });
      left += indices.length - next;
      if (known === undefined || position % KNOWN_AT_ONCE === 0) yield;
    }
    this.#bytes = 2 * total + CHUNK_BYTES * chunks.length;
    const found = order.isRegistration ? concatenate(runs, limit) : merge(runs, limit, order);
    return { rows: found, total, isLast: left <= limit };
  }

  *#match(chunk: Chunk): Work<Indices> {
    const { rows, layout, revision } = chunk;
    const former = this.#former.get(layout);
    const changed = former && layout.changedSince(Math.min(former.revision, revision));
    const found =
      former === undefined || changed === undefined
        ? yield* this.#matchAll(chunk)
        : this.#matchChanged(rows, former.indices, changed);
    const indices = String.fromCharCode(...found);
    this.#indices.set(chunk, indices);
    this.#former.set(layout, { indices, revision });
    return indices;
  }

  *#matchAll(chunk: Chunk): Work<readonly number[]> {
    const selection = new Selection();
    yield* selection.match(chunk, this.#filters.conditions);
    const { rows } = chunk;
    const found = Array.from({ length: selection.size }, (_, i) => selection.indexAt(i));
    const { compare, isRegistration } = this.#order;
    return isRegistration ? found : found.toSorted((a, b) => compare(rows[a]!, rows[b]!));
  }

  /** Tests only the rows that have changed: the others match as before, in the same order. */
  #matchChanged(
    rows: readonly ListedGameServer[],
    formerIndices: Indices,
    changed: ReadonlySet<number>,
  ): readonly number[] {
    const { compare } = this.#order;
    const matching = [...changed]
      .filter((index) => this.#filters.matches(rows[index]!))
      .toSorted((a, b) => compare(rows[a]!, rows[b]!));
    const found: number[] = [];
    for (let i = 0; i < formerIndices.length; i += 1) {
      const index = formerIndices.charCodeAt(i);
      if (!changed.has(index)) found.push(index);
    }
    // The few new ones are inserted among the many: to sort all rows anew would take the longest.
    let place = 0;
    for (const index of matching) {
      const row = rows[index]!;
      place = lowerBound(found, (other) => compare(rows[other]!, row) > 0, place);
      found.splice(place, 0, index);
    }
    return found;
  }
}

function firstBehind(
  rows: readonly ListedGameServer[],
  indices: Indices,
  order: Order,
  place: PlaceInOrder,
): number {
  let low = 0;
  let high = indices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order.isBehind(rows[indices.charCodeAt(middle)]!, place)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first entries of runs that follow each other. */
function concatenate(runs: readonly Run[], limit: number): readonly ListedGameServer[] {
  const found: ListedGameServer[] = [];
  for (const { rows, indices, next } of runs) {
    for (let i = next; i < indices.length && found.length < limit; i += 1)
      found.push(rows[indices.charCodeAt(i)]!);
    if (found.length === limit) break;
  }
  return found;
}

/** The first entries of all runs, each of which is in order. The runs form a heap, with the first entry on top. */
function merge(runs: Run[], limit: number, { compare }: Order): readonly ListedGameServer[] {
  const headOf = ({ rows, indices, next }: Run): ListedGameServer => rows[indices.charCodeAt(next)]!;
  const sink = (start: number): void => {
    const run = runs[start]!;
    const head = headOf(run);
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= runs.length) break;
      if (child + 1 < runs.length && compare(headOf(runs[child + 1]!), headOf(runs[child]!)) < 0) child += 1;
      if (compare(head, headOf(runs[child]!)) <= 0) break;
      runs[at] = runs[child]!;
      at = child;
    }
    runs[at] = run;
  };
  for (let at = (runs.length >>> 1) - 1; at >= 0; at -= 1) sink(at);
  const found: ListedGameServer[] = [];
  while (found.length < limit && runs.length > 0) {
    const top = runs[0]!;
    found.push(headOf(top));
    top.next += 1;
    if (top.next === top.indices.length) {
      const last = runs.pop()!;
      if (runs.length === 0) break;
      runs[0] = last;
    }
    sink(0);
  }
  return found;
}
