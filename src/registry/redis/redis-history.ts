/**
 * The history as this replica knows it. Some seconds after the end of each minute it sends Redis its point of that
 * minute, and adopts what Redis has: all replicas thus have the same points, whichever was first. Its copy outlives
 * what Redis loses, and is then written back.
 *
 * No leader is needed: all replicas report each minute, in any order and any number of times, and the first point of a
 * minute stays.
 */

import type { History } from '../backend.ts';
import { coalesce } from '../../runtime/coalesce.ts';
import {
  beginningOf,
  hoursOver,
  mergePoints,
  MinuteSampler,
  withoutFuture,
  type HistoryPoint,
  type HistoryPoints,
  type HistoryStep,
} from '../history-record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { HistoryReply } from './scripts/kept-replies.ts';
import type { Scripts } from './scripts/scripts.ts';

export interface RedisHistoryOptions {
  readonly scripts: Pick<Scripts, 'exchangeHistory'>;
  readonly breaker: Pick<CircuitBreaker, 'run'>;
  /** The time between two calls of sample(). */
  readonly intervalMs: number;
  /** Whether this replica writes back what Redis lost. */
  readonly writesBack: boolean;
  /** Returns the time by the clock of this replica, ms since the epoch. */
  readonly now: () => number;
}

/** How long after the end of a minute a replica sends its point at the latest: each has a delay of its own. */
const LONGEST_DELAY_MS = 5000;

/** The most points in one call: they take Redis a millisecond or two. */
const BATCH_SIZE = 250;

const BEFORE_ALL = -1;
const STEPS: readonly HistoryStep[] = ['minute', 'hour'];

export class RedisHistory implements History {
  readonly #options: RedisHistoryOptions;
  readonly #sampler: MinuteSampler;
  readonly #delayMs = Math.random() * LONGEST_DELAY_MS;
  /** The points that Redis has, as far as this replica knows, and those that it had. */
  readonly #points: Record<HistoryStep, HistoryPoints> = { minute: [], hour: [] };
  /** The minutes of this replica that Redis does not have yet. */
  #untold: HistoryPoints = [];
  #isLoaded = false;
  /** How far the clock of Redis is ahead of that of this replica. */
  #aheadMs = 0;
  /** The minute in which #tell() ran last, and the hour in which all points were compared. */
  #toldIn = -Infinity;
  #comparedIn = -Infinity;
  readonly #load = coalesce(async () => {
    if (this.#isLoaded) return;
    for (const step of STEPS) await this.#compare(step);
    this.#isLoaded = true;
  });

  constructor(options: RedisHistoryOptions) {
    this.#options = options;
    this.#sampler = new MinuteSampler(options.intervalMs);
  }

  /** Resolves with all points. Rejects with `registry_unavailable` if it knows none yet, and they cannot be loaded. */
  async points(step: HistoryStep): Promise<HistoryPoints> {
    if (!this.#isLoaded)
      await this.#load().catch((error: unknown) => {
        if (this.#points[step].length === 0) throw error;
      });
    return this.#points[step];
  }

  /** Other replicas may have sent points of which this one has not heard. */
  outdate(): void {
    this.#isLoaded = false;
  }

  /**
   * Samples the list, and sends Redis the minute that is over. upkeep.ts calls it each interval while Redis is
   * available. `snapshot` is undefined if the list is not known to be current. If it rejects, a later call sends all.
   */
  async sample(snapshot: Pick<Snapshot, 'count' | 'players'> | undefined): Promise<void> {
    if (!this.#isLoaded) await this.#load();
    const now = this.#now();
    const point = this.#sampler.take(now, snapshot);
    if (point !== undefined) this.#untold = mergePoints('minute', this.#untold, [point]);
    const minute = beginningOf('minute', now - this.#delayMs);
    if (minute === this.#toldIn) return;
    this.#toldIn = minute;
    await this.#tell(minute);
  }

  /** Sends the points that are due. `minute`: the one that this replica was in a delay ago. */
  async #tell(minute: number): Promise<void> {
    await this.#tellOf('minute', this.#untold);
    // By now every replica has sent the last minute of these hours.
    const due = hoursOver(this.#points.minute, this.#points.hour, minute - 1);
    await this.#tellOf('hour', due);
    const hour = beginningOf('hour', minute);
    if (hour === this.#comparedIn) return;
    this.#comparedIn = hour;
    for (const step of STEPS) await this.#compare(step);
  }

  /** Sends these points, and adopts what is new in Redis. */
  async #tellOf(step: HistoryStep, due: HistoryPoints): Promise<void> {
    const told = due.slice(0, BATCH_SIZE);
    const latest = this.#points[step].at(-1)?.time ?? BEFORE_ALL;
    const reply = await this.#exchange(step, told, Math.min(latest, (told[0]?.time ?? Infinity) - 1));
    this.#take(step, reply.points);
    this.#untold = this.#untold.filter((point) => !told.includes(point));
    if (reply.count !== this.#points[step].length) await this.#compare(step);
  }

  /** Reads all points of Redis, and writes back what it lost. If both have a point of one time, that of Redis stays. */
  async #compare(step: HistoryStep): Promise<void> {
    const stored: HistoryPoint[] = [];
    for (let after: number | undefined = BEFORE_ALL; after !== undefined;) {
      const reply: HistoryReply = await this.#exchange(step, [], after);
      stored.push(...reply.points);
      after = reply.nextAfter;
    }
    if (!this.#options.writesBack) this.#points[step] = [];
    this.#take(step, stored);
    const times = new Set(stored.map(({ time }) => time));
    const lost = this.#points[step].filter(({ time }) => !times.has(time));
    for (let first = 0; first < lost.length; first += BATCH_SIZE) {
      const batch = lost.slice(first, first + BATCH_SIZE);
      this.#take(step, (await this.#exchange(step, batch, batch[0]!.time - 1)).points);
    }
  }

  #take(step: HistoryStep, stored: HistoryPoints): void {
    const points = mergePoints(step, mergePoints(step, [], stored), this.#points[step]);
    this.#points[step] = withoutFuture(points, this.#now());
  }

  /** The time by the clock of Redis, ms since the epoch. */
  #now(): number {
    return this.#options.now() + this.#aheadMs;
  }

  async #exchange(step: HistoryStep, points: HistoryPoints, after: number): Promise<HistoryReply> {
    const { scripts, breaker, now } = this.#options;
    const reply = await breaker.run(() => scripts.exchangeHistory(step, points, after));
    this.#aheadMs = reply.now - now();
    return reply;
  }
}
