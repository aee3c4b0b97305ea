/** The answer to one question about the list, as the list changes. Knows nothing of the question. */

import type { Snapshot } from '../registry/snapshot/snapshot.ts';
import type { Turns } from './turns.ts';
import { awaited, type Asker, type Shared, type Work } from './work.ts';

export class Latest<T> {
  #last: T | undefined;
  /** What the last answer is of. Not kept alive: an answer that no client asks for again would keep a whole list. */
  #of: WeakRef<Snapshot> | undefined;
  #newest: Snapshot | undefined;
  /** The making that is still to begin: it takes the newest snapshot. */
  #next: Shared<T> | undefined;
  /** Resolves when the making under way is over. */
  #underWay: Promise<unknown> | undefined;
  readonly #turns: Turns;
  readonly #make: (snapshot: Snapshot, last: T | undefined) => Work<T>;

  /** `make` gets the answer before, too. */
  constructor(turns: Turns, make: (snapshot: Snapshot, last: T | undefined) => Work<T>) {
    this.#turns = turns;
    this.#make = make;
  }

  /** The last one that was made. */
  get last(): T | undefined {
    return this.#last;
  }

  /**
   * The answer of this snapshot, or of a newer one: all calls made while one is made share the next, of the newest
   * snapshot. Rejects with a ServiceError `overloaded` if there is too much to do.
   */
  async of(snapshot: Snapshot, asker: Asker): Promise<T> {
    if (this.#of?.deref() === snapshot) return this.#last!;
    this.#newest = snapshot;
    if (this.#next === undefined) this.#next = this.#begin(asker);
    else this.#next.join(asker);
    return this.#next.result;
  }

  #begin(asker: Asker): Shared<T> {
    const next: Shared<T> = this.#turns.share(asker, () => this.#makeNext(next));
    const forget = (): void => {
      if (this.#next === next) this.#next = this.#newest = undefined;
    };
    // Also of one that is refused before it begins.
    next.result.then(forget, forget);
    return next;
  }

  *#makeNext(next: Shared<T>): Work<T> {
    if (this.#underWay !== undefined) yield* awaited(this.#underWay);
    const over = (): void => void (this.#underWay = undefined);
    this.#underWay = next.result.then(over, over);
    this.#next = undefined;
    const snapshot = this.#newest!;
    this.#newest = undefined;
    if (this.#of?.deref() === snapshot) return this.#last!;
    this.#last = yield* this.#make(snapshot, this.#last);
    this.#of = new WeakRef(snapshot);
    return this.#last;
  }
}
