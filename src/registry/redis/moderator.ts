/**
 * Changes what moderators have decided, for all replicas: by compare and set, because several may do so at once. Ends
 * bans whose time is over, and keeps Redis in possession of the settings. Knows no entries.
 */

import { ServiceError } from '../../errors.ts';
import { formatDecisions, withoutExpired, type Decisions } from '../bans/decisions.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { Scripts } from './scripts/scripts.ts';
import type { SettingsKeeper } from './settings-keeper.ts';

export interface ModeratorOptions {
  readonly scripts: Pick<Scripts, 'moderate'>;
  readonly settings: SettingsKeeper;
  readonly breaker: CircuitBreaker;
  /** Resolves once the list of this replica, and its settings, are newer than the call. */
  readonly readBarrier: () => Promise<unknown>;
}

const MOST_ATTEMPTS = 5;

export class Moderator {
  readonly #options: ModeratorOptions;

  constructor(options: ModeratorOptions) {
    this.#options = options;
  }

  /**
   * Resolves with what is decided, once this replica goes by it: it takes the decision over from the feed like all
   * others, so that each version of the list is that of one decision. Rejects with `registry_unavailable`.
   */
  async moderate(change: (decided: Decisions) => Decisions): Promise<Decisions> {
    const { scripts, settings, breaker, readBarrier } = this.#options;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      await readBarrier();
      const { moderationVersion: version, rules } = settings;
      const next = change(rules.decided);
      if (next === rules.decided) return next;
      if (!(await breaker.run(() => scripts.moderate(version, formatDecisions(next))))) continue;
      await readBarrier();
      return next;
    }
    throw new ServiceError('registry_unavailable');
  }

  /** To be called now and then. `now`: ms since the epoch. */
  async keep(now: number): Promise<void> {
    const { settings } = this.#options;
    if (settings.rules.hasExpired(now)) await this.moderate((decided) => withoutExpired(decided, now));
    else await settings.tell();
  }
}
