/**
 * The work of clients that is not done, and how long more of it would wait. The measure is how fast work came to its end
 * last, whatever it was that took the time. Knows nothing of the work.
 */

/** How much the time of the last work counts, beside that of all before it. */
const LAST_COUNTS = 1 / 8;
/** Without work for so long, what is known of it counts half: what comes next may be of another kind. */
const HALF_LIFE_MS = 1000;

export class Backlog {
  readonly #jobsOf = new Map<string, number>();
  #size = 0;
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
    return this.#size;
  }

  /** How long work that the client brings now would wait, ms: before each of its jobs comes one of each other client. */
  waitMs(client: string): number {
    const its = this.#jobsOf.get(client);
    const clients = this.#jobsOf.size + (its === undefined ? 1 : 0);
    return Math.min(this.#size, clients * ((its ?? 0) + 1) - 1) * this.#msPerJob;
  }

  add(client: string): void {
    if (this.#size === 0) {
      const now = this.#now();
      this.#msPerJob *= 0.5 ** ((now - this.#lastEndAt) / HALF_LIFE_MS);
      this.#lastEndAt = now;
    }
    this.#size += 1;
    this.#jobsOf.set(client, (this.#jobsOf.get(client) ?? 0) + 1);
  }

  /** Work is not waited for any more. */
  remove(client: string): void {
    this.#size -= 1;
    const left = this.#jobsOf.get(client)! - 1;
    if (left === 0) this.#jobsOf.delete(client);
    else this.#jobsOf.set(client, left);
  }

  /** The same, and it is done. */
  complete(client: string): void {
    this.remove(client);
    const now = this.#now();
    this.#msPerJob += (now - this.#lastEndAt - this.#msPerJob) * LAST_COUNTS;
    this.#lastEndAt = now;
  }
}
