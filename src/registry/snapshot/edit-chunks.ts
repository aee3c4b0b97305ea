/**
 * Works edits into the chunks of a list. All edits of one chunk together make one new chunk, and the other chunks stay:
 * the work grows with the number of changes, not with the number of game servers.
 */

import { Chunk, type Lineage } from './chunk.ts';
import { nextRevision } from './layout.ts';
import { compareRows, lowerBound, type Row } from './row.ts';

/**
 * The usual size of a chunk, in rows. A chunk has at most twice as many, and at least a quarter if it has neighbours.
 * Chunks of 512 cost a third more CPU for each change, and each change keeps one old chunk in memory until all slow
 * readers of it are done. Chunks of 128 gain a tenth, and cost as much when they are sent.
 */
export const CHUNK_ROWS = 256;

/** A change at one place of the list. */
export interface Edit<R> {
  readonly place: R;
  /** The row at this place from now on; undefined removes the row. */
  readonly row: R | undefined;
}

/** A chunk that stays as it is, or one that settle() is still to build. */
type Draft<R extends Row> =
  | Chunk<R>
  | {
      readonly rows: readonly R[];
      readonly formerly: Chunk<R> | undefined;
      /** The lineage of the chunk; undefined if entries have come or gone. */
      readonly lineage?: Lineage;
    };

/** Returns the chunks after the edits, which must be in order. Changes `unseen` rows in place; new rows join them. */
export function editChunks<R extends Row>(
  chunks: readonly Chunk<R>[],
  edits: readonly Edit<R>[],
  unseen: WeakSet<readonly R[]>,
): Chunk<R>[] {
  return settle(draft(chunks, edits, unseen));
}

/** Drafts the chunks with the edits worked into them. The first chunk has to be marked as such afterwards: settle(). */
function draft<R extends Row>(
  chunks: readonly Chunk<R>[],
  edits: readonly Edit<R>[],
  unseen: WeakSet<readonly R[]>,
): Draft<R>[] {
  const drafts: Draft<R>[] = [];
  let untouched = 0;
  for (let first = 0; first < edits.length;) {
    const { place } = edits[first]!;
    const isAfter = ({ rows }: Chunk<R>): boolean => compareRows(rows[0]!, place) > 0;
    // The last chunk that begins at or before the place, or the first one.
    const index = Math.max(0, lowerBound(chunks, isAfter, untouched) - 1);
    const next = chunks[index + 1]?.rows[0];
    const isBeyond = (edit: Edit<R>): boolean => next !== undefined && compareRows(edit.place, next) >= 0;
    const end = lowerBound(edits, isBeyond, first);
    for (; untouched < index; untouched += 1) add(drafts, chunks[untouched]!);
    const formerly = chunks[index];
    const before = formerly?.rows ?? [];
    const rows = unseen.has(before) ? (before as R[]) : [...before];
    const some = edits.slice(first, end);
    const lineage = formerly && lineageAfter(formerly, rows, some);
    merge(rows, some);
    unseen.add(rows);
    add(drafts, { rows, formerly, ...(lineage && { lineage }) });
    untouched = index + 1;
    first = end;
  }
  for (; untouched < chunks.length; untouched += 1) add(drafts, chunks[untouched]!);
  return drafts;
}

/** The lineage of the chunk after these edits, if each only replaces a row. Its layout then remembers the changes. */
function lineageAfter<R extends Row>(
  { layout }: Chunk<R>,
  rows: readonly R[],
  edits: readonly Edit<R>[],
): Lineage | undefined {
  const indices: number[] = [];
  for (const { place, row } of edits) {
    const index = lowerBound(rows, (other) => compareRows(other, place) >= 0, indices.at(-1) ?? 0);
    if (row === undefined || rows[index]?.id !== row.id) return undefined;
    indices.push(index);
  }
  const revision = nextRevision();
  for (const index of indices) layout.note(index, revision);
  return { layout, revision };
}

/** Works the edits into the rows; both are in order. Most edits replace a row by a newer state of it. */
function merge<R extends Row>(rows: R[], edits: readonly Edit<R>[]): void {
  let index = 0;
  for (const { place, row } of edits) {
    index = lowerBound(rows, (other) => compareRows(other, place) >= 0, index);
    const isThere = rows[index]?.id === place.id;
    if (row === undefined) rows.splice(index, isThere ? 1 : 0);
    else if (isThere) rows[index] = row;
    else rows.splice(index, 0, row);
  }
}

/** Adds a draft: splits one that is too large, and joins one that is too small to the one before it. */
function add<R extends Row>(drafts: Draft<R>[], each: Draft<R>): void {
  const { length } = each.rows;
  if (length === 0) return;
  if (length > 2 * CHUNK_ROWS) {
    const { formerly } = each as Exclude<Draft<R>, Chunk<R>>;
    let start = 0;
    for (; length - start > 2 * CHUNK_ROWS; start += CHUNK_ROWS)
      drafts.push({ rows: each.rows.slice(start, start + CHUNK_ROWS), formerly });
    drafts.push({ rows: each.rows.slice(start), formerly });
    return;
  }
  const before = drafts.at(-1);
  if (
    before === undefined ||
    Math.min(before.rows.length, length) >= CHUNK_ROWS / 4 ||
    before.rows.length + length > CHUNK_ROWS
  ) {
    drafts.push(each);
    return;
  }
  const larger = before.rows.length < length ? each : before;
  const formerly = larger instanceof Chunk ? larger : larger.formerly;
  drafts.splice(-1, 1, { rows: [...before.rows, ...each.rows], formerly });
}

/** Builds the chunks. A chunk that becomes the first, or no longer is, is built anew: its first comma changes. */
function settle<R extends Row>(drafts: readonly Draft<R>[]): Chunk<R>[] {
  return drafts.map((each, index) => {
    const isFirst = index === 0;
    if (!(each instanceof Chunk)) return new Chunk(each.rows, isFirst, each.formerly, each.lineage);
    return each.isFirst === isFirst ? each : new Chunk(each.rows, isFirst, each, each);
  });
}
