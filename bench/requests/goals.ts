/** What a case is to reach, as a ratio to the floor of the same run. */

import type { Row } from './results.ts';
import type { SubjectName } from './subjects.ts';

interface Goal {
  readonly name: RegExp;
  readonly counts: readonly number[];
  readonly subjects: readonly SubjectName[];
  readonly of: 'requestsPerSecond' | 'cpu';
  /** At least of the requests, at most of the CPU. */
  readonly limit: number;
}

const EACH = ['gsls-memory', 'gsls-redis'] as const;
const MEMORY = ['gsls-memory'] as const;
const REDIS = ['gsls-redis'] as const;
const requests = 'requestsPerSecond';

const GOALS: readonly Goal[] = [
  { name: /^list, 304$/, counts: [10_000], subjects: EACH, of: requests, limit: 0.9 },
  { name: /^list (plain|gzip)$/, counts: [10_000], subjects: EACH, of: requests, limit: 1 },
  { name: /^list plain, 1000 changes/, counts: [10_000], subjects: REDIS, of: 'cpu', limit: 1.1 },
  { name: /^list gzip, 1000 changes/, counts: [10_000], subjects: REDIS, of: 'cpu', limit: 1.15 },
  { name: /^list .*, 100 changes/, counts: [100, 1000], subjects: REDIS, of: requests, limit: 0.7 },
  { name: /^ping, unchanged$/, counts: [10_000], subjects: MEMORY, of: 'cpu', limit: 1.2 },
  { name: /^ping, changed$/, counts: [10_000], subjects: MEMORY, of: 'cpu', limit: 1.4 },
  { name: /^ping, unchanged$/, counts: [10_000], subjects: REDIS, of: 'cpu', limit: 1.4 },
  { name: /^ping, changed$/, counts: [10_000], subjects: REDIS, of: 'cpu', limit: 1.7 },
];

/** The goals of the row, and whether it reaches them; '' where it has none. */
export function goalsOf({ name, count, subject, ratio }: Row): string {
  return GOALS.filter(
    (goal) => goal.name.test(name) && goal.counts.includes(count) && goal.subjects.includes(subject),
  )
    .map(({ of, limit }) => {
      const isOfCpu = of === 'cpu';
      const isReached = isOfCpu ? ratio.cpu <= limit : ratio.requestsPerSecond >= limit;
      return `${isOfCpu ? 'CPU ≤' : 'req/s ≥'} ${limit} × ${isReached ? '✓' : '✗'}`;
    })
    .join(', ');
}
