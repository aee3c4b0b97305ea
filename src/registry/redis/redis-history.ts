/**
 * The history as this replica knows it. Once a minute, some seconds after its end, it tells Redis what the list showed,
 * and takes over what Redis has: so all replicas have the same, whichever was first. Its copy outlives what Redis
 * loses, and is then told again.
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
  /** Between two calls of sample(). */
  readonly intervalMs: number;
  /** Whether Redis is told what it lost. */
  readonly writesBack: boolean;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** Replicas tell a minute at different times, within so many ms of its end. */
const LONGEST_DELAY_MS = 5000;

/** Points that a call carries at most: a millisecond or two of Redis. */
const BATCH_SIZE = 250;

const BEFORE_ALL = -1;
const STEPS: readonly HistoryStep[] = ['minute', 'hour'];

export class RedisHistory implements History {
  readonly #options: RedisHistoryOptions;
  readonly #sampler: MinuteSampler;
  readonly #delayMs = Math.random() * LONGEST_DELAY_MS;
  /** What Redis has, as far as this replica knows, and what it had. */
  readonly #points: Record<HistoryStep, HistoryPoints> = { minute: [], hour: [] };
  /** Minutes of this replica that Redis has not taken yet. */
  #untold: HistoryPoints = [];
  #isLoaded = false;
  /** How far the clock of Redis is ahead of that of this replica. */
  #aheadMs = 0;
  /** The minute in which Redis was told last, and the hour in which all was compared. */
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

  /** Rejects with `registry_unavailable` if the history was not loaded yet, and cannot be. */
  async points(step: HistoryStep): Promise<HistoryPoints> {
    if (!this.#isLoaded) await this.#load();
    return this.#points[step];
  }

  /**
   * To be called each interval while Redis is available. `snapshot`: the list, undefined if it is not known to be
   * current. Rejects when Redis could not be told; a later call tells it.
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

  /** `minute`: the one that began last, a delay ago. */
  async #tell(minute: number): Promise<void> {
    await this.#tellOf('minute', this.#untold);
    // Every replica has told the last minute of these hours.
    const due = hoursOver(this.#points.minute, this.#points.hour, minute - 1);
    await this.#tellOf('hour', due);
    const hour = beginningOf('hour', minute);
    if (hour === this.#comparedIn) return;
    this.#comparedIn = hour;
    for (const step of STEPS) await this.#compare(step);
  }

  /** Tells these points, and takes over what is new in Redis. */
  async #tellOf(step: HistoryStep, due: HistoryPoints): Promise<void> {
    const told = due.slice(0, BATCH_SIZE);
    const latest = this.#points[step].at(-1)?.time ?? BEFORE_ALL;
    const reply = await this.#exchange(step, told, Math.min(latest, (told[0]?.time ?? Infinity) - 1));
    this.#take(step, reply.points);
    this.#untold = this.#untold.filter((point) => !told.includes(point));
    if (reply.count !== this.#points[step].length) await this.#compare(step);
  }

  /** Reads all that Redis has, and tells it what it lost. Of two points of one time, that of Redis stays. */
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

  /** By the clock of Redis, ms since the epoch. */
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
