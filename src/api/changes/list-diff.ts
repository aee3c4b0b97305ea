/**
 * The differences between two lists, entry by entry. Chunks that both lists share are skipped; the rows of all others
 * are merged in the order of the list. This holds for any two lists, even of different histories.
 */

import { hasSameLabels, hasSameSeen, saysTheSame } from '../../model/game-server.ts';
import type { Chunk } from '../../registry/snapshot/chunk.ts';
import { compareRows, type Row } from '../../registry/snapshot/row.ts';
import type { Snapshot } from '../../registry/snapshot/snapshot.ts';
import type { Work } from '../work/work.ts';

/** A place of the list where an entry came, changed or left. At least one of the two rows is there. */
export interface RowChange {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** How many rows are compared between two pauses. */
const ROWS_AT_A_TIME = 256;

/** The changes in the order of the list. An entry registered anew under its id is there twice: it left, and it came. */
export function* diffLists(
  before: Pick<Snapshot, 'chunks'>,
  after: Pick<Snapshot, 'chunks'>,
): Work<readonly RowChange[]> {
  const old = new Cursor(only(before, after));
  const current = new Cursor(only(after, before));
  const changes: RowChange[] = [];
  for (let rows = 1; ; rows += 1) {
    const [was, is] = [old.row, current.row];
    if (was === undefined && is === undefined) return changes;
    const order = was === undefined ? 1 : is === undefined ? -1 : was === is ? 0 : compareRows(was, is);
    if (order <= 0) old.advance();
    if (order >= 0) current.advance();
    if (order < 0) changes.push({ before: was, after: undefined });
    else if (order > 0) changes.push({ before: undefined, after: is });
    else if (was !== is && !isRenderedAlike(is!, was!)) changes.push({ before: was, after: is });
    if (rows % ROWS_AT_A_TIME === 0) yield;
  }
}

function isRenderedAlike(row: Row, other: Row): boolean {
  return saysTheSame(row, other) && hasSameLabels(row, other) && hasSameSeen(row, other);
}

/** The chunks of the first list that are not in the second one. */
function only(first: Pick<Snapshot, 'chunks'>, second: Pick<Snapshot, 'chunks'>): readonly Chunk[] {
  const shared = new Set(second.chunks);
  return first.chunks.filter((chunk) => !shared.has(chunk));
}

/** Goes through the rows of chunks, none of which is empty. */
class Cursor {
  readonly #chunks: readonly Chunk[];
  #chunk = 0;
  #index = 0;

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
  }

  /** The row at the cursor; undefined at the end. */
  get row(): Row | undefined {
    return this.#chunks[this.#chunk]?.rows[this.#index];
  }

  advance(): void {
    this.#index += 1;
    if (this.#index < this.#chunks[this.#chunk]!.rows.length) return;
    this.#chunk += 1;
    this.#index = 0;
  }
}
