/** Has lua/mend.lua repair damaged keys, once for all who ask at the same time, and not too often. */

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
  /** The ids of suspect records, each with the epoch in which it was surely damaged, or ''. */
  #suspects = new Map<GameServerId, string>();

  /**
   * `intervalMs`: the time between two mendings, in which every replica notices the first. A mending goes through all
   * entries of Redis, and makes all replicas load the list anew. `signal` is aborted when the registry closes.
   */
  constructor(scripts: Scripts, intervalMs: number, signal: AbortSignal) {
    this.#scripts = scripts;
    this.#intervalMs = intervalMs;
    this.#signal = signal;
  }

  /**
   * Repairs damaged keys; every replica then compares its copy. All calls until it ends share one mending.
   * `suspects`: the ids of records that may be damaged. `epoch`: the epoch in which they surely are.
   */
  mend(suspects: readonly GameServerId[] = [], epoch = ''): Promise<void> {
    for (const id of suspects) this.#suspects.set(id, epoch || (this.#suspects.get(id) ?? ''));
    this.#mending ??= this.#mendSoon().finally(() => {
      this.#mending = undefined;
    });
    return this.#mending;
  }

  /** Makes a call. If damaged keys fail it, they are repaired and the call is repeated. */
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
