/**
 * Puts a whole list in order at once, in turns. Rows that come in any order and are worked into the chunks one by one
 * take a sixth of the CPU of a join: each is looked up among many that are in no cache.
 */

import { Chunk } from './chunk.ts';
import { CHUNK_ROWS } from './edit-chunks.ts';
import { inTurns } from './in-turns.ts';
import { compareRows, lowerBound, type Row } from './row.ts';

/** The rows, which are in no order, as chunks of the list. Rows that lie side by side should not belong together. */
export async function orderRows<R extends Row>(rows: readonly R[]): Promise<Chunk<R>[]> {
  // Each bucket has the rows between two of these, as many as a chunk on average: few enough to be sorted in a turn.
  const bounds: R[] = [];
  for (let i = 0; i < rows.length; i += CHUNK_ROWS) bounds.push(rows[i]!);
  bounds.sort(compareRows);
  const buckets = bounds.map((): R[] => []);
  await inTurns(rows, (row) => {
    const next = lowerBound(bounds, (bound) => compareRows(bound, row) > 0);
    buckets[Math.max(0, next - 1)]!.push(row);
  });

  const chunks: Chunk<R>[] = [];
  let rest: R[] = [];
  await inTurns(buckets, (bucket) => {
    const ordered = rest.concat(bucket.toSorted(compareRows));
    let start = 0;
    for (; ordered.length - start > 2 * CHUNK_ROWS; start += CHUNK_ROWS)
      chunks.push(new Chunk(ordered.slice(start, start + CHUNK_ROWS), chunks.length === 0));
    rest = ordered.slice(start);
  });
  if (rest.length > 0) chunks.push(new Chunk(rest, chunks.length === 0));
  return chunks;
}
