/**
 * The pulse of the process: when it was last seen to run. It was paused when it was frozen, swapped out, or its machine
 * was. A process that was frozen in the middle of a round of the event loop goes on with that round: until the next
 * beat, the last one is older than the pause.
 */

import { DEADLINES, type Deadlines } from './deadlines.ts';

const BEAT_MS = 250;

export class Pulse {
  readonly #pauseMs: number;
  readonly #now: () => number;
  readonly #timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  readonly #listeners = new Set<(at: number) => void>();
  #beatAt: number;
  #seenAt: number;
  #pausedUntil = -Infinity;

  /**
   * `pauseMs`: what takes longer was a pause. `now`: by default performance.now() of now, whatever a test makes of it.
   */
  constructor(
    { pauseMs }: Pick<Deadlines, 'pauseMs'> = DEADLINES,
    now: () => number = performance.now.bind(performance),
  ) {
    this.#pauseMs = pauseMs;
    this.#now = now;
    this.#beatAt = this.#seenAt = now();
  }

  /** When it last beat, by performance.now(): up to 250 ms ago, unless the process is paused or busy. */
  get beatAt(): number {
    return this.#beatAt;
  }

  /** Whether the process was paused since this time, by performance.now(): what it knows of others is as old. */
  hasPausedSince(at: number): boolean {
    const longAgo = performance.now() - this.#pauseMs;
    return this.#pausedUntil > at || (at < longAgo && this.#beatAt < longAgo);
  }

  /** Calls it when a pause is over, with the time, as soon as anything looks. Until the returned function is called. */
  onPause(listener: (at: number) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Notices a pause before the pulse beats again. Returns the time. */
  look(): number {
    const at = this.#now();
    if (at - this.#seenAt > this.#pauseMs) {
      this.#pausedUntil = at;
      for (const listener of this.#listeners) listener(at);
    }
    this.#seenAt = at;
    return at;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    const at = this.look();
    if (at - this.#beatAt > this.#pauseMs) this.#pausedUntil = at;
    this.#beatAt = at;
  }
}

/** A call was not sent: the process was paused over it, and its caller has turned to another replica meanwhile. */
export class ProcessPaused extends Error {
  constructor() {
    super('The process was paused');
  }
}
