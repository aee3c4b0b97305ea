/** How long a worker that has died is left alone before it is started again: longer with each death in a row. */

const FIRST_MS = 100;
const LONGEST_MS = 10_000;
/** The life after which a worker died of something else than the one before it. */
const LONG_LIFE_MS = 30_000;

export class RestartPause {
  readonly #random: () => number;
  #deaths = 0;

  /** `random`: from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The pause after the death of a worker that has lived this long, in ms: a quarter more or less than its turn. */
  after(livedMs: number): number {
    if (livedMs >= LONG_LIFE_MS) this.#deaths = 0;
    const pauseMs = Math.min(FIRST_MS * 2 ** this.#deaths, LONGEST_MS);
    this.#deaths += 1;
    return Math.round(pauseMs * (0.75 + this.#random() / 2));
  }
}
