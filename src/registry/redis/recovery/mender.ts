/** Has damaged keys put in order, for all callers together and seldom enough. */

import { setTimeout as delay } from 'node:timers/promises';
import type { GameServerId } from '../../../model/game-server.ts';
import { isDamage } from '../scripts/retry.ts';
import type { Scripts } from '../scripts/scripts.ts';

const MOST_MENDS_IN_A_ROW = 3;

export class Mender {
  readonly #scripts: Scripts;
  readonly #intervalMs: number;
  readonly #signal: AbortSignal;
  #mendedAt = -Infinity;
  #mending: Promise<void> | undefined;
  /** With the epoch in which the record was surely damaged, or ''. */
  #suspects = new Map<GameServerId, string>();

  /**
   * `intervalMs`: between two mendings, until every replica has noticed the first. Each of them looks at every entry of
   * Redis, and makes all replicas load the list anew. `signal`: aborted when the registry closes.
   */
  constructor(scripts: Scripts, intervalMs: number, signal: AbortSignal) {
    this.#scripts = scripts;
    this.#intervalMs = intervalMs;
    this.#signal = signal;
  }

  /**
   * Puts damaged keys in order; every replica then compares its copy. All callers of the same time share it.
   * `suspects`: the ids of records that may be damaged; `epoch`: in which they surely are.
   */
  mend(suspects: readonly GameServerId[] = [], epoch = ''): Promise<void> {
    for (const id of suspects) this.#suspects.set(id, epoch || (this.#suspects.get(id) ?? ''));
    this.#mending ??= this.#mendSoon().finally(() => {
      this.#mending = undefined;
    });
    return this.#mending;
  }

  /** Makes a call that damaged keys can fail, again once they are in order. */
  async untilSound<T>(call: () => Promise<T>): Promise<T> {
    for (let mends = 0; ; mends += 1) {
      try {
        return await call();
      } catch (error) {
        if (!isDamage((error as Error).cause) || mends === MOST_MENDS_IN_A_ROW) throw error;
        await this.mend();
      }
    }
  }

  async #mendSoon(): Promise<void> {
    const pauseMs = this.#mendedAt + this.#intervalMs - performance.now();
    await delay(Math.max(0, pauseMs), undefined, { signal: this.#signal });
    this.#mendedAt = performance.now();
    const suspects = this.#suspects;
    this.#suspects = new Map();
    await this.#scripts.mend(suspects);
  }
}
