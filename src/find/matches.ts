/**
 * The entries that match filters, in an order. What is known of a chunk stays known as long as the chunk is in the list:
 * a change costs the work for one chunk. Keeps no entry alive, only the places of entries in their chunks. Knows nothing
 * of pages and their bytes.
 */

import type { ListedGameServer } from '../registry/game-server.ts';
import type { Chunk } from '../registry/snapshot/chunk.ts';
import { lowerBound } from '../registry/snapshot/row.ts';
import type { Snapshot } from '../registry/snapshot/snapshot.ts';
import type { Filters } from './filters.ts';
import type { Order, Place } from './order.ts';
import type { Work } from './turns.ts';

/** The rows of a chunk that match, as indices, in the order that is wanted. */
type Indices = Uint16Array;

/** The matching rows of one chunk, and how far they have been read. */
interface Run {
  readonly rows: readonly ListedGameServer[];
  readonly indices: Indices;
  next: number;
}

/** Some matching entries that follow each other. */
export interface MatchingRows {
  readonly rows: readonly ListedGameServer[];
  /** How many entries match in all. */
  readonly total: number;
  /** Whether none comes behind these. */
  readonly isLast: boolean;
}

/** So many chunks of which everything is known take some 10 µs. */
const KNOWN_AT_ONCE = 64;

/** What one chunk takes beside its indices, in bytes. */
const CHUNK_BYTES = 200;

export class Matches {
  readonly #filters: Filters;
  readonly #order: Order;
  readonly #indices = new WeakMap<Chunk, Indices>();
  #bytes = 0;

  constructor(filters: Filters, order: Order) {
    this.#filters = filters;
    this.#order = order;
  }

  /** What it keeps in memory, as of the last call. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Up to `limit` entries behind a place, or from the beginning. */
  *find({ chunks }: Snapshot, limit: number, after?: Place): Work<MatchingRows> {
    const order = this.#order;
    const runs: Run[] = [];
    let total = 0;
    let left = 0;
    for (const [position, chunk] of chunks.entries()) {
      const known = this.#indices.get(chunk);
      const indices = known ?? this.#match(chunk);
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

  #match(chunk: Chunk): Indices {
    const { rows } = chunk;
    const found: number[] = [];
    for (let index = 0; index < rows.length; index += 1)
      if (this.#filters.matches(rows[index]!)) found.push(index);
    const { compare, isRegistration } = this.#order;
    if (!isRegistration) found.sort((a, b) => compare(rows[a]!, rows[b]!));
    const indices = Uint16Array.from(found);
    this.#indices.set(chunk, indices);
    return indices;
  }
}

function firstBehind(
  rows: readonly ListedGameServer[],
  indices: Indices,
  order: Order,
  place: Place,
): number {
  return lowerBound(indices as unknown as readonly number[], (index) => order.isBehind(rows[index]!, place));
}

/** Of runs that follow each other. */
function concatenate(runs: readonly Run[], limit: number): readonly ListedGameServer[] {
  const found: ListedGameServer[] = [];
  for (const { rows, indices, next } of runs) {
    for (let i = next; i < indices.length && found.length < limit; i += 1) found.push(rows[indices[i]!]!);
    if (found.length === limit) break;
  }
  return found;
}

/** The first of all runs, which are each in order: a heap of runs, the one with the first entry on top. */
function merge(runs: Run[], limit: number, { compare }: Order): readonly ListedGameServer[] {
  const headOf = ({ rows, indices, next }: Run): ListedGameServer => rows[indices[next]!]!;
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
