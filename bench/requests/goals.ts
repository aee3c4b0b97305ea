/** What is to be reached in a case. */

import type { Measurement, Ratio } from './results.ts';
import type { SubjectName } from './subjects.ts';

export interface Goal {
  readonly text: string;
  readonly isReached: (ratio: Ratio, measured: Measurement) => boolean;
}

export type Goals = Readonly<Partial<Record<SubjectName, readonly Goal[]>>>;

export const atLeast = (ratio: number): Goal => ({
  text: `req/s ≥ ${ratio} ×`,
  isReached: ({ requestsPerSecond }) => requestsPerSecond >= ratio,
});
export const cpuAtMost = (ratio: number): Goal => ({
  text: `CPU ≤ ${ratio} ×`,
  isReached: ({ cpu }) => cpu <= ratio,
});
export const redisAtMost = (micros: number): Goal => ({
  text: `Redis ≤ ${micros} µs`,
  isReached: (_ratio, { redisCpuUs }) => redisCpuUs <= micros,
});
export const both = (goal: Goal): Goals => ({ 'gsls-memory': [goal], 'gsls-redis': [goal] });
