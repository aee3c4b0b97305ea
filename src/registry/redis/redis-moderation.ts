/**
 * Moderation by any number of replicas: decisions change by compare and set, because several replicas may change them
 * at once. It also writes back the settings that Redis lost. The twin of ../memory/memory-moderation.ts.
 */

import type { Moderation } from '../backend.ts';
import { ServiceError } from '../../model/service-error.ts';
import type { RuleSubject } from '../decisions/rule-matcher.ts';
import { formatDecisions } from '../decisions/decisions-document.ts';
import { withoutExpired, type Ban, type Decisions } from '../decisions/decisions.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { Rest } from './rest.ts';
import type { CircuitBreaker } from './scripts/circuit-breaker.ts';
import type { Scripts } from './scripts/scripts.ts';
import type { SettingsKeeper } from './settings-keeper.ts';

export interface RedisModerationOptions {
  readonly scripts: Pick<Scripts, 'moderate'>;
  readonly settings: SettingsKeeper;
  readonly breaker: CircuitBreaker;
  readonly rest: Pick<Rest, 'wake'>;
  /** Resolves once the list of this replica, and its settings, are newer than the call. */
  readonly readBarrier: () => Promise<unknown>;
  /** Whether this replica has a list. */
  readonly hasList: () => boolean;
}

const MOST_ATTEMPTS = 5;

export class RedisModeration implements Moderation {
  readonly #options: RedisModerationOptions;

  constructor(options: RedisModerationOptions) {
    this.#options = options;
  }

  get decided(): Decisions {
    return this.#options.settings.rules.decided;
  }

  /**
   * Resolves with the decisions once this replica goes by them: it receives its own decision from the feed like all
   * others, so that each version of the list is that of one decision. Rejects with `registry_unavailable`.
   */
  decide(change: (decided: Decisions) => Decisions): Promise<Decisions> {
    this.#options.rest.wake();
    return this.#decide(change);
  }

  async #decide(change: (decided: Decisions) => Decisions): Promise<Decisions> {
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

  /** Throws while this replica has no list: then it knows no bans either. */
  findBan(subject: RuleSubject): Ban | undefined {
    const { settings, hasList } = this.#options;
    if (!hasList()) throw new ServiceError('registry_unavailable');
    return settings.rules.bans.find(subject);
  }

  mayBeTold(entry: ListedGameServer): boolean {
    return this.#options.settings.rules.mayBeTold(entry);
  }

  /**
   * Drops the bans and labels that have expired at `now`, ms since the epoch; if none has, writes back lost settings,
   * and labels that a replica of an earlier release left out.
   */
  async keep(now: number): Promise<void> {
    const { settings } = this.#options;
    if (settings.rules.hasExpired(now)) await this.#decide((decided) => withoutExpired(decided, now));
    else if (settings.lacksLabels) await this.#decide((decided) => ({ ...decided }));
    else await settings.tell();
  }
}
