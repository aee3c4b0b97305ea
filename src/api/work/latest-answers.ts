/**
 * The answers to questions about the list, as the list changes. Askers of a question whose answer is being made from an
 * earlier list share the next making, which reads the newest list: no queue forms, however often the list changes. The
 * answers asked for last are kept as far as the memory for them goes.
 */

import { LRUCache } from 'lru-cache';
import type { Snapshot } from '../../registry/snapshot/snapshot.ts';
import { keep } from './keep.ts';
import type { Turns } from './turns.ts';
import { awaited, type Asker, type Shared, type Work } from './work.ts';

/** The least size of anything that is kept, in bytes. */
export const LEAST_KEPT_BYTES = 1024;

/** Makes the answer for a snapshot. `last`: the answer before, if there is one; it may be returned again. */
export type MakeAnswer<T> = (snapshot: Snapshot, last: T | undefined) => Work<T>;

export interface LatestAnswersOptions<T> {
  readonly turns: Turns;
  /** The size of all that are kept, in bytes. A longer answer is kept alone. */
  readonly keptBytes: number;
  /** The memory for an answer that has just been made, in bytes. */
  readonly bytesOf: (answer: T) => number;
}

export class LatestAnswers<T> {
  readonly #options: LatestAnswersOptions<T>;
  readonly #kept: LRUCache<string, Latest<T>>;

  constructor(options: LatestAnswersOptions<T>) {
    this.#options = options;
    this.#kept = new LRUCache({ maxSize: options.keptBytes });
  }

  has(question: string): boolean {
    return this.#kept.has(question);
  }

  /**
   * The answer for this snapshot, or for a newer one that another caller supplied. `begin` is called for a question
   * that is not kept. Rejects with a ServiceError `overloaded`.
   */
  async of(question: string, snapshot: Snapshot, asker: Asker, begin: () => MakeAnswer<T>): Promise<T> {
    let latest = this.#kept.get(question);
    if (latest === undefined) {
      latest = new Latest(this.#options.turns, begin());
      this.#keep(question, latest, 0);
    }
    const { last } = latest;
    const answer = await latest.of(snapshot, asker);
    if (answer !== last && this.#kept.peek(question) === latest)
      this.#keep(question, latest, this.#options.bytesOf(answer));
    return answer;
  }

  clear(): void {
    this.#kept.clear();
  }

  #keep(question: string, latest: Latest<T>, bytes: number): void {
    keep(this.#kept, question, latest, Math.min(this.#options.keptBytes, LEAST_KEPT_BYTES + bytes));
  }
}

/** The answer to one question. */
class Latest<T> {
  #last: T | undefined;
  /** The snapshot of the last answer. It is not kept alive: an answer nobody asks for again would keep a whole list. */
  #of: WeakRef<Snapshot> | undefined;
  #newest: Snapshot | undefined;
  /** The making that has not begun yet: it will read the newest snapshot. */
  #next: Shared<T> | undefined;
  /** `over` resolves when the making is over, however it ends. */
  #underWay:
    { readonly snapshot: Snapshot; readonly making: Shared<T>; readonly over: Promise<void> } | undefined;
  readonly #turns: Turns;
  readonly #make: MakeAnswer<T>;

  constructor(turns: Turns, make: MakeAnswer<T>) {
    this.#turns = turns;
    this.#make = make;
  }

  /** The last answer that was made. */
  get last(): T | undefined {
    return this.#last;
  }

  async of(snapshot: Snapshot, asker: Asker): Promise<T> {
    if (this.#of?.deref() === snapshot) return this.#last!;
    const isUnderWay = this.#underWay?.snapshot === snapshot;
    if (!isUnderWay) this.#newest = snapshot;
    const making = isUnderWay ? this.#underWay!.making : this.#next;
    if (making === undefined) return this.#begin(asker);
    making.join(asker);
    return making.result;
  }

  #begin(asker: Asker): Promise<T> {
    const next: Shared<T> = this.#turns.share(asker, () => this.#makeNext(next));
    this.#next = next;
    const forget = (): void => {
      if (this.#next === next) this.#next = this.#newest = undefined;
    };
    // A making that is refused before it begins is forgotten too.
    next.result.then(forget, forget);
    return next.result;
  }

  *#makeNext(making: Shared<T>): Work<T> {
    if (this.#underWay !== undefined) yield* awaited(this.#underWay.over);
    const snapshot = this.#newest!;
    const end = (): void => void (this.#underWay = undefined);
    this.#underWay = { snapshot, making, over: making.result.then(end, end) };
    this.#next = this.#newest = undefined;
    this.#last = yield* this.#make(snapshot, this.#last);
    this.#of = new WeakRef(snapshot);
    return this.#last;
  }
}
