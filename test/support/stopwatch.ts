/** A stopwatch of the time that this process had: what a busy machine keeps it waiting hardly counts. */

const TICK_MS = 20;

export class Stopwatch {
  #ticks = 0;
  readonly #timer = setInterval(() => (this.#ticks += 1), TICK_MS).unref();

  /** Since it was made, or until it was stopped. */
  get ms(): number {
    return this.#ticks * TICK_MS;
  }

  /** Stops it, and tells the ms. */
  stop(): number {
    clearInterval(this.#timer);
    return this.ms;
  }
}
