/**
 * Puts a whole list in order at once, in turns. Working unordered rows into the chunks one by one takes a sixth of the
 * CPU of a join: it looks each row up among many that are in no cache.
 */

import { Chunk } from './chunk.ts';
import { CHUNK_ROWS } from './edit-chunks.ts';
import { inTurns } from './in-turns.ts';
import { compareRows, lowerBound, type Row } from './row.ts';

/** Builds ordered chunks of unordered rows. The order of `rows` should be random: samples of it bound the buckets. */
export async function orderRows<R extends Row>(rows: readonly R[]): Promise<Chunk<R>[]> {
  // A bucket gets the rows between two bounds, as many as a chunk on average: few enough to be sorted in one turn.
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
