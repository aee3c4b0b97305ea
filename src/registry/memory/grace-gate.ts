/**
 * Decides whether deadlines prove anything. After a gap in sweeping (the process was down, the machine slept, the clock
 * jumped) no entry expires for one whole TTL: the pings of that time could not arrive. Without the gate an outage of
 * 5 s at a TTL of 2 s expired 100 of 100 living game servers, with it none. The gate knows times, but no entries.
 */

import type { Lifetime } from '../lifetime.ts';

export class GraceGate {
  readonly #maxSweepGapMs: number;
  #sweptAt = -Infinity;
  #shutAt = -Infinity;

  constructor({ maxSweepGapMs }: Pick<Lifetime, 'maxSweepGapMs'>) {
    this.#maxSweepGapMs = maxSweepGapMs;
  }

  /** Shuts the gate at `now`, ms since the epoch. It stays shut for an entry for one TTL of that entry. */
  shut(now: number): void {
    this.#shutAt = now;
  }

  /**
   * Records a sweep at `now`, ms since the epoch, and shuts the gate if it follows a gap, or is the first. Returns
   * whether the clock went back: then the deadlines lie too far ahead.
   */
  pass(now: number): boolean {
    const wentBack = now < this.#sweptAt;
    if (wentBack || now - this.#sweptAt > this.#maxSweepGapMs) this.shut(now);
    this.#sweptAt = now;
    return wentBack;
  }

  /** Whether the deadlines of entries with this TTL count at `now`, ms since the epoch. */
  isOpen(now: number, ttlMs: number): boolean {
    return now >= this.#shutAt + ttlMs;
  }
}
