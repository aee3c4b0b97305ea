/**
 * The work of clients that is not done, and how long more of it would wait. The measure is how fast work came to its
 * end last, whatever it was that took the time.
 */

import { ClientCounts } from '../../registry/client-counts.ts';

/** How much the time of the last work counts, beside that of all before it. */
const LAST_COUNTS = 1 / 8;
/** Without work for so long, what is known of it counts half: what comes next may be of another kind. */
const HALF_LIFE_MS = 1000;

export class Backlog {
  /** By the networks of clients. */
  readonly #jobs = new ClientCounts((network) => network);
  /** Between the ends of two jobs, while there are any. */
  #msPerJob = 0;
  #lastEndAt = 0;
  readonly #now: () => number;

  /** `now`: ms of a clock that cannot be set. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** How much work is not done. */
  get size(): number {
    return this.#jobs.total;
  }

  /**
   * How long work that the client brings now would wait, ms: before each of its jobs comes one of each other client.
   */
  waitMs(client: string): number {
    const its = this.#jobs.of(client);
    const clients = this.#jobs.networks + (its === 0 ? 1 : 0);
    return Math.min(this.size, clients * (its + 1) - 1) * this.#msPerJob;
  }

  add(client: string): void {
    if (this.size === 0) {
      const now = this.#now();
      this.#msPerJob *= 0.5 ** ((now - this.#lastEndAt) / HALF_LIFE_MS);
      this.#lastEndAt = now;
    }
    this.#jobs.add(client);
  }

  /** Work is not waited for any more. */
  remove(client: string): void {
    this.#jobs.subtract(client);
  }

  /** The same, and it is done. */
  complete(client: string): void {
    this.remove(client);
    const now = this.#now();
    this.#msPerJob += (now - this.#lastEndAt - this.#msPerJob) * LAST_COUNTS;
    this.#lastEndAt = now;
  }
}
