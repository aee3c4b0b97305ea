/** Starts what is to be done in the order in which it came, a limited number of times in a second. Knows none of it. */

import { systemClock, type Clock } from '../registry/registry.ts';

export interface PaceOptions {
  /** How many tasks are started in an interval. */
  readonly most: number;
  readonly intervalMs: number;
  readonly clock?: Pick<Clock, 'every'>;
}

export class Pace {
  readonly #options: PaceOptions;
  /** Short: each connection has one task in it, or two. */
  readonly #waiting: (() => void)[] = [];
  /** How many tasks may still be started in this interval. */
  #left: number;
  #stopTimer: (() => void) | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#left = options.most;
  }

  /** Starts the task at once, or when all that came before it have been started and there is room in the interval. */
  run(task: () => void): void {
    this.#stopTimer ??= (this.#options.clock ?? systemClock).every(this.#options.intervalMs, this.#begin);
    if (this.#left === 0) this.#waiting.push(task);
    else {
      this.#left -= 1;
      task();
    }
  }

  /** Begins the next interval. Without tasks in the last one the timer stops. */
  readonly #begin = async (): Promise<void> => {
    const { most } = this.#options;
    if (this.#left === most) {
      this.#stopTimer?.();
      this.#stopTimer = undefined;
      return;
    }
    this.#left = most;
    while (this.#left > 0 && this.#waiting.length > 0) {
      this.#left -= 1;
      this.#waiting.shift()!();
    }
  };
}
