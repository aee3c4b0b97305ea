/**
 * Shares the event loop between queries and everything else. Work is a generator that yields often, and all work
 * together has the loop for a few ms at a time. Knows nothing of the work.
 */

/** All work together, in ms; then the event loop goes round once. */
const TURN_MS = 1;
/** One work, in ms, before another has its turn. What takes longer waits behind everything that does not. */
const SHARE_MS = 0.5;
/** Of the works that take longer, so many go on side by side. What the others hold in memory stays small meanwhile. */
const MOST_LONG = 16;

/** Yields where it may be interrupted: after a fraction of a ms. */
export type Work<T> = Generator<undefined, T, undefined>;

interface Job {
  readonly work: Work<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export class Turns {
  #fresh: Job[] = [];
  #long: Job[] = [];
  #isScheduled = false;

  /**
   * Resolves with what the work returns, and rejects with what it throws. `begin` begins it, in a later round of the event
   * loop, or does all of it at once if it is short.
   */
  run<T>(begin: () => Work<T> | Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#fresh.push({ work: startLater(begin), resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#takeTurn();
    });
  }

  #takeTurn(): void {
    let now = performance.now();
    const endsAt = now + TURN_MS;
    while (now < endsAt) {
      const fresh = this.#fresh.shift();
      const job = fresh ?? this.#long.shift();
      if (job === undefined) return;
      const isDone = advance(job, Math.min(endsAt, now + SHARE_MS));
      if (!isDone) this.#long.splice(fresh === undefined ? MOST_LONG - 1 : this.#long.length, 0, job);
      now = performance.now();
    }
    if (this.#fresh.length + this.#long.length > 0) this.#schedule();
  }
}

function* startLater<T>(begin: () => Work<T> | Promise<T>): Work<T | Promise<T>> {
  const begun = begin();
  return begun instanceof Promise ? begun : yield* begun;
}

/** Whether the work is done. */
function advance({ work, resolve, reject }: Job, untilMs: number): boolean {
  try {
    let step = work.next();
    while (step.done !== true && performance.now() < untilMs) step = work.next();
    if (step.done === true) resolve(step.value as never);
    return step.done === true;
  } catch (error) {
    reject(error);
    return true;
  }
}
