/**
 * When deadlines prove something. After a gap in sweeping (the process was down, the machine slept, the clock jumped)
 * no entry expires for one whole TTL: the pings of that time could not arrive. Without the gate an outage of 5 s at a
 * TTL of 2 s expired 100 of 100 living game servers, with it none. Knows times, and nothing of entries.
 */

import type { Lifetime } from '../lifetime.ts';

export class GraceGate {
  readonly #lifetime: Lifetime;
  #sweptAt = -Infinity;
  #graceUntil = 0;

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
  }

  /** Shuts for one TTL from `now`, ms since the epoch. */
  shut(now: number): void {
    this.#graceUntil = now + this.#lifetime.ttlMs;
  }

  /**
   * Notes a sweep at `now`, ms since the epoch. `open`: deadlines count. `shut`: they do not. `clock_went_back`: the
   * gate is shut, and the deadlines lie too far ahead. The first sweep of all shuts it.
   */
  pass(now: number): 'open' | 'shut' | 'clock_went_back' {
    const wentBack = now < this.#sweptAt;
    const gapMs = now - this.#sweptAt;
    if (wentBack || gapMs > this.#lifetime.maxSweepGapMs) this.shut(now);
    this.#sweptAt = now;
    if (wentBack) return 'clock_went_back';
    return now >= this.#graceUntil ? 'open' : 'shut';
  }
}
