/**
 * The clock of Redis as this replica knows it: by the last reply that told it, and by the time since on a clock that is
 * never set. It is not ahead of Redis, as Redis had told the time before the reply came: so a deadline by this clock
 * comes too early rather than too late.
 */

export class RedisClock {
  /** Of Redis before performance.now(), in ms; undefined before the first reply. */
  #ahead: number | undefined;

  /** Redis told this time, ms since the epoch, in a reply that has just come. */
  told(now: number): void {
    this.#ahead = now - performance.now();
  }

  /**
   * The time of Redis, ms since the epoch, at this time by performance.now(). The latest there is if it is not known.
   */
  at(time: number): number {
    return this.#ahead === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(time + this.#ahead);
  }
}
