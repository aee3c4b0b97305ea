/** A queue: what was put in first comes out first, in constant time however long it is. */

export class Fifo<T> {
  #items: (T | undefined)[] = [];
  /** Where the first item is; the places before it are empty. */
  #head = 0;

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  /** The item that comes out next; undefined when there is none. */
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
    // The empty places are given back when they are half of all: each item is then moved once on average.
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
