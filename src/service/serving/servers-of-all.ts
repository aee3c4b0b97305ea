/** The limit of --total-servers: how many game servers all registries of a service may list together. */

import type { QuotaExceeded } from '../../registry/registry.ts';

export interface ServersOfAllOptions {
  readonly most: number;
  /** Counts the game servers that this replica knows. */
  readonly count: () => Promise<number>;
  /** How many workers let game servers in: each takes no more than its part of the room that is left. */
  readonly workers: number;
  /** ms of a clock that cannot be set. */
  readonly now?: () => number;
}

/** How long a count is gone by. What is let in meanwhile is added. */
const COUNTED_FOR_MS = 250;

export class ServersOfAll {
  readonly #options: Required<ServersOfAllOptions>;
  #counted: Promise<number> | undefined;
  #countedAt = -Infinity;
  #letIn = 0;

  constructor({ now = () => performance.now(), ...options }: ServersOfAllOptions) {
    this.#options = { ...options, now };
  }

  /** Lets one more game server in, unless there are too many: then it resolves with the refusal. */
  async letIn(): Promise<QuotaExceeded | undefined> {
    const { most, count, now, workers } = this.#options;
    if (now() - this.#countedAt >= COUNTED_FOR_MS) {
      this.#countedAt = now();
      this.#letIn = 0;
      this.#counted = count();
    }
    const known = (await this.#counted!) + this.#letIn * workers;
    if (known >= most) return { is: 'quota_exceeded', of: 'all', limit: most, count: known };
    this.#letIn += 1;
    return undefined;
  }
}
