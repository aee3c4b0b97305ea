/** A clock that is stopped until a test moves it, and runs the timers it passes, one after the other. */

import type { Clock } from '../../src/registry/registry.ts';

interface Timer {
  readonly intervalMs: number;
  readonly task: () => Promise<void>;
  dueAt: number;
}

export class ManualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now: number;

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  /** How many timers there are. */
  get timers(): number {
    return this.#timers.size;
  }

  every(intervalMs: number, task: () => Promise<void>): () => void {
    const timer = { intervalMs, task, dueAt: this.#now + intervalMs };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Lets time pass as it does for a running service: every timer runs whenever it is due. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#timers]
        .filter(({ dueAt }) => dueAt <= end)
        .toSorted((a, b) => a.dueAt - b.dueAt)[0];
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.dueAt);
      next.dueAt = this.#now + next.intervalMs;
      await next.task();
    }
    this.#now = end;
  }

  /** Time passes while nothing runs: an outage, a sleeping machine, a clock set anew (also backwards). */
  jump(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) timer.dueAt = this.#now + timer.intervalMs;
  }
}
