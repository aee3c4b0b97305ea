/** Starts what is to be done in the order in which it came, a limited number of times in a second. */

import { systemClock, type Clock } from '../../registry/registry.ts';

export interface PaceOptions {
  /** How many tasks are started in an interval. */
  readonly most: number;
  readonly intervalMs: number;
  readonly clock?: Pick<Clock, 'every'>;
}

/** Says whether it was still wanted: if not, the next task is started instead. */
export type Task = () => boolean;

export class Pace {
  readonly #options: PaceOptions;
  readonly #waiting: Task[] = [];
  /** How many tasks may still be started in this interval. */
  #left: number;
  #stopTimer: (() => void) | undefined;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#left = options.most;
  }

  /** Starts the task at once, or when all that came before it have been started and there is room in the interval. */
  run(task: Task): void {
    this.#stopTimer ??= (this.#options.clock ?? systemClock).every(this.#options.intervalMs, this.#begin);
    if (this.#left === 0) this.#waiting.push(task);
    else if (task()) this.#left -= 1;
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
    while (this.#left > 0 && this.#waiting.length > 0) if (this.#waiting.shift()!()) this.#left -= 1;
  };
}
