/**
 * The unfinished work of clients, and an estimate of how long more of it would wait. The estimate is the recent time
 * between the ends of two jobs, whatever that time was spent on.
 *
 * The delay of the event loop would be no measure: with turns there is none to see, and the queue knows at once how
 * much is not done.
 */

import { ClientCounts } from '../../registry/client-counts.ts';

/** The weight of the last job's time beside that of all jobs before. */
const LAST_COUNTS = 1 / 8;
/** The time without work in which the estimate halves, in ms: later work may be of another kind. */
const HALF_LIFE_MS = 1000;

export class Backlog {
  /** The unfinished jobs by the networks of clients. */
  readonly #jobs = new ClientCounts((network) => network);
  /** The average time between the ends of two jobs while there are any. */
  #msPerJob = 0;
  #lastEndAt = 0;
  readonly #now: () => number;

  /** `now`: ms of a clock that cannot be set. */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** The number of unfinished jobs. */
  get size(): number {
    return this.#jobs.total;
  }

  /** How long work that the client brings now would wait, in ms: each of its jobs follows one of each other client. */
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

  /** Removes a job that nobody waits for any more. */
  remove(client: string): void {
    this.#jobs.subtract(client);
  }

  /** Removes a job that is done, and learns from its time. */
  complete(client: string): void {
    this.remove(client);
    const now = this.#now();
    this.#msPerJob += (now - this.#lastEndAt - this.#msPerJob) * LAST_COUNTS;
    this.#lastEndAt = now;
  }
}
