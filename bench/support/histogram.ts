/** Durations in buckets that grow by a twentieth: small, quick to fill, and one can be taken from another. */

const GROWTH = Math.log(1.05);
/** The last one is for all from 300 s. */
const BUCKETS = 400;

/** How many durations fell into each bucket. */
export type Counts = Uint32Array;

export function createCounts(): Counts {
  return new Uint32Array(BUCKETS);
}

export function addDuration(counts: Counts, ms: number): void {
  const bucket = Math.max(0, Math.ceil(Math.log(Math.max(ms, 1e-6) * 1000) / GROWTH));
  counts[Math.min(bucket, BUCKETS - 1)]! += 1;
}

/** What `later` has and `earlier` had not. */
export function countsSince(later: Counts, earlier: Counts): Counts {
  return later.map((count, bucket) => count - earlier[bucket]!);
}

export interface Durations {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function summarize(counts: Counts): Durations {
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    count: total,
    p50Ms: at(counts, total / 2),
    p99Ms: at(counts, 0.99 * total),
    maxMs: at(counts, total),
  };
}

/** The upper edge of the bucket of the duration with this rank; 0 where there is none. */
function at(counts: Counts, rank: number): number {
  let seen = 0;
  for (const [bucket, count] of counts.entries()) {
    seen += count;
    if (count > 0 && seen >= rank) return Math.exp(bucket * GROWTH) / 1000;
  }
  return 0;
}
