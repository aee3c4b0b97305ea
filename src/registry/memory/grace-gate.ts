/**
 * When deadlines prove something. After a gap in sweeping (the process was down, the machine slept, the clock jumped)
 * no entry expires for one whole TTL: the pings of that time could not arrive. Without the gate an outage of 5 s at a
 * TTL of 2 s expired 100 of 100 living game servers, with it none. Knows times, and nothing of entries.
 */

import type { Lifetime } from '../lifetime.ts';

export class GraceGate {
  readonly #maxSweepGapMs: number;
  #sweptAt = -Infinity;
  #shutAt = -Infinity;

  constructor({ maxSweepGapMs }: Pick<Lifetime, 'maxSweepGapMs'>) {
    this.#maxSweepGapMs = maxSweepGapMs;
  }

  /** Shuts at `now`, ms since the epoch, for one TTL of each entry. */
  shut(now: number): void {
    this.#shutAt = now;
  }

  /**
   * Notes a sweep at `now`, ms since the epoch. Returns whether the clock went back: then the deadlines lie too far
   * ahead. The first sweep of all shuts it.
   */
  pass(now: number): boolean {
    const wentBack = now < this.#sweptAt;
    if (wentBack || now - this.#sweptAt > this.#maxSweepGapMs) this.shut(now);
    this.#sweptAt = now;
    return wentBack;
  }

  /** Whether deadlines of entries with this TTL count at `now`. */
  isOpen(now: number, ttlMs: number): boolean {
    return now >= this.#shutAt + ttlMs;
  }
}
