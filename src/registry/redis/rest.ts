/**
 * Lets a registry rest that nobody needs: its regular tasks stop, and it looks at Redis now and then. So it still
 * follows decisions and the secret, finds the entries of other replicas, and writes back what Redis has lost: at once,
 * if another registry of the process finds a loss or there may be another Redis. An entry wakes it, and so does whoever
 * asks something of it.
 *
 * A Rest is the clock of the regular tasks. It does not know what they do.
 */

import type { Clock } from '../registry.ts';

export interface RestOptions {
  readonly clock: Clock;
  /** How long nobody must have needed the registry before it rests, above 0; undefined if it never does. */
  readonly afterMs: number | undefined;
  /** Whether no entry needs the registry, as far as is known. */
  readonly isIdle: () => boolean;
  /** Looks at Redis. Never rejects. */
  readonly look: () => Promise<void>;
  /** The registry goes on: what it has not looked at may be outdated. */
  readonly onWake: () => void;
}

interface Task {
  readonly start: () => () => void;
  stop: (() => void) | undefined;
}

/** How often a registry that rests looks at Redis. */
export const REST_LOOK_INTERVAL_MS = 30_000;
/** How long after a look the next one may be, however often it is told to look at once. */
const SHORTEST_LOOK_INTERVAL_MS = 1000;

export class Rest implements Clock {
  readonly #options: RestOptions;
  readonly #tasks = new Set<Task>();
  /** When the registry was last needed, by the clock: one that is opened and found empty rests at once. */
  #neededAt = -Infinity;
  #lookedAt = -Infinity;
  #stopLooking: (() => void) | undefined;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  get isResting(): boolean {
    return this.#stopLooking !== undefined;
  }

  now(): number {
    return this.#options.clock.now();
  }

  /** Runs the task each `intervalMs` that the registry does not rest. */
  every(intervalMs: number, run: () => Promise<void>): () => void {
    const start = (): (() => void) => this.#options.clock.every(intervalMs, run);
    const task: Task = { start, stop: this.isResting ? undefined : start() };
    this.#tasks.add(task);
    return () => {
      this.#tasks.delete(task);
      task.stop?.();
    };
  }

  /** Somebody needs the registry. */
  wake(): void {
    const { afterMs, onWake } = this.#options;
    if (afterMs === undefined) return;
    this.#neededAt = this.now();
    if (!this.isResting) return;
    this.close();
    for (const task of this.#tasks) task.stop = task.start();
    onWake();
  }

  /** Begins a rest, if it is time: call it after each regular look at Redis. */
  restIfIdle(): void {
    const { afterMs, isIdle } = this.#options;
    if (afterMs === undefined || this.isResting) return;
    if (!isIdle()) this.#neededAt = this.now();
    if (this.now() - this.#neededAt < afterMs) return;
    for (const task of this.#tasks) task.stop?.();
    // Many registries begin to rest together, and should not look together.
    this.#lookIn(Math.floor(Math.random() * REST_LOOK_INTERVAL_MS));
  }

  /** Looks at Redis at once if it rests: Redis may have lost something. */
  readonly lookNow = (): void => {
    if (!this.isResting) return;
    this.close();
    const isEarly = this.now() - this.#lookedAt < SHORTEST_LOOK_INTERVAL_MS;
    this.#lookIn(isEarly ? SHORTEST_LOOK_INTERVAL_MS : 0);
  };

  /** Ends a rest without waking. */
  close(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #lookIn(ms: number): void {
    this.#stopLooking = this.#options.clock.every(ms, async () => {
      this.#stopLooking?.();
      this.#lookedAt = this.now();
      this.#lookIn(REST_LOOK_INTERVAL_MS);
      await this.#options.look();
      if (!this.#options.isIdle()) this.wake();
    });
  }
}
