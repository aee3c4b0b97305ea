/** The answer to one question about the list, as the list changes. Knows nothing of the question. */

import { coalesce } from '../registry/coalesce.ts';
import type { Snapshot } from '../registry/snapshot/snapshot.ts';

export class Latest<T> {
  #last: T | undefined;
  /** What the last answer is of. Not kept alive: an answer that no client asks for again would keep a whole list. */
  #of: WeakRef<Snapshot> | undefined;
  #newest: Snapshot | undefined;
  readonly #answerNewest: () => Promise<T>;

  /** `make` gets the answer before, too. */
  constructor(make: (snapshot: Snapshot, last: T | undefined) => Promise<T>) {
    this.#answerNewest = coalesce(async () => {
      const snapshot = this.#newest!;
      this.#newest = undefined;
      if (this.#of?.deref() === snapshot) return this.#last!;
      this.#last = await make(snapshot, this.#last);
      this.#of = new WeakRef(snapshot);
      return this.#last;
    });
  }

  /** The last one that was made. */
  get last(): T | undefined {
    return this.#last;
  }

  /**
   * The answer of this snapshot, or of a newer one: all calls made while one is made share the next, of the newest
   * snapshot.
   */
  async of(snapshot: Snapshot): Promise<T> {
    if (this.#of?.deref() === snapshot) return this.#last!;
    this.#newest = snapshot;
    return this.#answerNewest();
  }
}
