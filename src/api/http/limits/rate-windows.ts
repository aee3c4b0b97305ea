/**
 * The windows of the clients of one rate limit, in the memory of this process. Their number is bounded: with too many
 * clients at a time, those whose window began first are forgotten. rate-limiter-flexible has a timer for each client in
 * memory: that takes four times the memory without an upper bound, and follows a clock that can be set.
 */

import type { RateWindow } from './rate-limits.ts';

interface Window {
  requests: number;
  /** ms, by a clock that cannot be set. */
  readonly endsAt: number;
}

/** How many windows are kept, which is some 20 MB. */
const MOST_CLIENTS = 100_000;

export class RateWindows {
  readonly #windowMs: number;
  readonly #now: () => number;
  /** Two generations of windows: a whole generation is dropped at no cost, unlike the oldest windows one by one. */
  #young = new Map<string, Window>();
  #old = new Map<string, Window>();
  #youngSince: number;

  /** `now`: ms of a clock that cannot be set. */
  constructor(windowMs: number, now = (): number => performance.now()) {
    this.#windowMs = windowMs;
    this.#now = now;
    this.#youngSince = now();
  }

  /** Counts a request of the client. */
  count(client: string): RateWindow {
    const now = this.#now();
    let window = this.#young.get(client) ?? this.#old.get(client);
    if (window === undefined || window.endsAt <= now) {
      window = { requests: 0, endsAt: now + this.#windowMs };
      this.#begin(client, window, now);
    }
    window.requests += 1;
    return { requests: window.requests, endsInMs: window.endsAt - now };
  }

  /** Replaces the window of the client. */
  set(client: string, { requests, endsInMs }: RateWindow): void {
    const now = this.#now();
    this.#begin(client, { requests, endsAt: now + endsInMs }, now);
  }

  /** How many windows are in memory. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Adds a window. A generation is dropped when it is full, or as old as a window, so that all of its have ended. */
  #begin(client: string, window: Window, now: number): void {
    if (now - this.#youngSince >= this.#windowMs || this.#young.size >= MOST_CLIENTS / 2) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSince = now;
    }
    this.#young.set(client, window);
  }
}
