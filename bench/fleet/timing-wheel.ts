/**
 * When each of very many is due: a slot for every tick, in each slot a list linked through one typed array. Eight bytes
 * for each, and no timers.
 */

export const TICK_MS = 10;
const SLOTS = 2 ** 16;
const NONE = -1;

/** No delay can be longer, in ms. */
export const LONGEST_DELAY_MS = (SLOTS - 1) * TICK_MS;

export class TimingWheel {
  readonly #heads = new Int32Array(SLOTS).fill(NONE);
  readonly #next: Int32Array;
  readonly #dueTick: Uint32Array;
  readonly #startedAt = performance.now();
  #tick = 0;

  constructor(capacity: number) {
    this.#next = new Int32Array(capacity);
    this.#dueTick = new Uint32Array(capacity);
  }

  /** `n` must not be in the wheel. */
  schedule(n: number, delayMs: number): void {
    const ticks = Math.max(1, Math.round(Math.min(delayMs, LONGEST_DELAY_MS) / TICK_MS));
    const due = this.#tick + ticks;
    this.#dueTick[n] = due;
    this.#next[n] = this.#heads[due % SLOTS]!;
    this.#heads[due % SLOTS] = n;
  }

  /** Passes all that have become due to `take`, which may schedule them again. */
  advance(take: (n: number) => void): void {
    const now = Math.floor((performance.now() - this.#startedAt) / TICK_MS);
    while (this.#tick < now) {
      this.#tick += 1;
      let n = this.#heads[this.#tick % SLOTS]!;
      this.#heads[this.#tick % SLOTS] = NONE;
      while (n !== NONE) {
        const following = this.#next[n]!;
        take(n);
        n = following;
      }
    }
  }

  /** ms since `n` became due. */
  lateMs(n: number): number {
    return (this.#tick - this.#dueTick[n]!) * TICK_MS;
  }

  clear(): void {
    this.#heads.fill(NONE);
  }
}
