/** A first-in, first-out queue. Each operation takes constant time on average, however long the queue is. */

export class Fifo<T> {
  #items: (T | undefined)[] = [];
  /** The index of the first item; the places before it are empty. */
  #head = 0;

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  /** The item that comes out next; undefined if there is none. */
  get first(): T | undefined {
    return this.#items[this.#head];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.isEmpty) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    // Empty places are dropped once they are half of all: each item is then moved once on average.
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
