/**
 * Runs the regular tasks of a replica: it polls the feed, keeps settings and history, recounts entries, and checks its
 * rights.
 */

import { SAMPLE_INTERVAL_MS } from '../../history-record.ts';
import type { Lifetime } from '../../lifetime.ts';
import type { Clock } from '../../registry.ts';
import type { Deadlines } from '../../../runtime/deadlines.ts';
import type { CircuitBreaker } from '../scripts/circuit-breaker.ts';
import type { RedisModeration } from '../redis-moderation.ts';
import type { RecountPosition } from '../scripts/kept-replies.ts';
import type { Scripts } from '../scripts/scripts.ts';
import type { WriteRefusals } from '../write-refusals.ts';

export interface UpkeepOptions {
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  readonly scripts: Scripts;
  readonly breaker: CircuitBreaker;
  readonly refusals: Pick<WriteRefusals, 'note'>;
  readonly deadlines: Pick<Deadlines, 'refusalMs'>;
  readonly moderation: RedisModeration;
  /** Polls the feed. Never rejects. */
  readonly poll: () => Promise<void>;
  /** Samples the list for the history. */
  readonly sample: () => Promise<void>;
  /** Looks at the list for the histories of game servers; undefined where none are kept. */
  readonly look: (() => Promise<void>) | undefined;
}

/** How often to check whether Redis has the settings, and whether a ban has expired. */
const SETTINGS_INTERVAL_MS = 1000;

/** How often a part of the entries is recounted. */
const RECOUNT_INTERVAL_MS = 500;

/** How often the list is sampled for the history, in ms: no more often than sweeps, by which tests pass time. */
export function sampleIntervalOf({ sweepIntervalMs }: Lifetime): number {
  return Math.max(SAMPLE_INTERVAL_MS, sweepIntervalMs);
}

/** Starts the tasks, which the returned function stops. A failed task is not reported: it runs again soon. */
export function startUpkeep(options: UpkeepOptions): () => void {
  const { clock, lifetime, scripts, breaker, refusals, deadlines, moderation, poll, sample, look } = options;
  // Tests pass time sweep by sweep.
  const every = (intervalMs: number, task: () => Promise<void>): (() => void) =>
    clock.every(Math.max(intervalMs, lifetime.sweepIntervalMs), async () => {
      if (!breaker.isOpen) await task().catch(() => undefined);
    });
  const stops = [
    // A poll keeps the copy up to date, and sweeps while nobody asks for a list.
    clock.every(lifetime.sweepIntervalMs, poll),
    every(SETTINGS_INTERVAL_MS, () => moderation.keep(clock.now())),
    every(SAMPLE_INTERVAL_MS, sample),
    ...(look === undefined ? [] : [every(SAMPLE_INTERVAL_MS, look)]),
    // Quotas and the votes on a hold need right counts.
    every(RECOUNT_INTERVAL_MS, createRecount(scripts)),
    // So often that a refusal does not count as over while a right is missing.
    every(deadlines.refusalMs / 2, async () => {
      const missing = await scripts.missingRights();
      if (missing.length > 0) refusals.note(new Error(`NOPERM the user may not run ${missing.join(', ')}`));
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/**
 * Returns a function that goes through all entries, a part at each call, and corrects for which network each counts.
 * After a failure it begins anew.
 */
function createRecount(scripts: Pick<Scripts, 'recount'>): () => Promise<void> {
  const beginning: RecountPosition = { rank: 0, miscounted: [] };
  let next = beginning;
  return async () => {
    const position = next;
    next = beginning;
    next = await scripts.recount(position);
  };
}
