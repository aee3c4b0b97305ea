/**
 * The clock of Redis as this replica knows it: the time in the last reply that had one, and the time since then by a
 * clock that is never set. It is never ahead of Redis, which read the time before its reply arrived: a deadline by this
 * clock comes too early rather than too late.
 */

export class RedisClock {
  /** How far the clock of Redis is ahead of performance.now(), in ms; undefined before the first reply. */
  #ahead: number | undefined;

  /** Receives the time, ms since the epoch, of a reply that has just arrived. */
  told(now: number): void {
    this.#ahead = now - performance.now();
  }

  /** The time of Redis, ms since the epoch, at `time` by performance.now(); the greatest of all if it is not known. */
  at(time: number): number {
    return this.#ahead === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(time + this.#ahead);
  }
}
