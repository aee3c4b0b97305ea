/** Moderation in one process. The twin of ../redis/redis-moderation.ts. */

import type { Moderation } from '../backend.ts';
import type { RuleSubject } from '../decisions/rule-matcher.ts';
import { withoutExpired, type Ban, type Decisions } from '../decisions/decisions.ts';
import type { ListedGameServer } from '../../model/game-server.ts';
import type { Entries } from './entries.ts';
import type { Journal } from './journal.ts';

export class MemoryModeration implements Moderation {
  readonly #entries: Entries;
  readonly #journal: Journal | undefined;

  constructor(entries: Entries, journal: Journal | undefined) {
    this.#entries = entries;
    this.#journal = journal;
  }

  get decided(): Decisions {
    return this.#entries.rules.decided;
  }

  async decide(change: (decided: Decisions) => Decisions): Promise<Decisions> {
    const next = change(this.decided);
    if (next === this.decided) return next;
    await this.#entries.decide(next);
    await this.#journal?.written();
    return next;
  }

  findBan(subject: RuleSubject): Ban | undefined {
    return this.#entries.rules.bans.find(subject);
  }

  mayBeTold(entry: ListedGameServer): boolean {
    return this.#entries.rules.mayBeTold(entry);
  }

  /** Drops the bans and labels that have expired at `now`, ms since the epoch. The registry calls it now and then. */
  async keep(now: number): Promise<void> {
    if (this.#entries.rules.hasExpired(now)) await this.decide((decided) => withoutExpired(decided, now));
  }
}
