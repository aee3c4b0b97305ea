/** Numbers, first in, first out: what is taken is forgotten from time to time. */

const FEWEST_TO_FORGET = 10_000;

export class ReadyQueue {
  #numbers: number[] = [];
  #taken = 0;

  get length(): number {
    return this.#numbers.length - this.#taken;
  }

  push(n: number): void {
    this.#numbers.push(n);
  }

  /** Only while there is one. */
  take(): number {
    const n = this.#numbers[this.#taken]!;
    this.#taken += 1;
    if (this.#taken > FEWEST_TO_FORGET && this.#taken * 2 > this.#numbers.length) {
      this.#numbers = this.#numbers.slice(this.#taken);
      this.#taken = 0;
    }
    return n;
  }

  clear(): void {
    this.#numbers = [];
    this.#taken = 0;
  }
}
