/**
 * Which listed entries are shown: not those that are unlisted or banned, and, if it is wanted, only those that could be
 * reached. A function of the entry and of what moderators have decided, hence the same on every replica.
 */

import { createBanMatcher, type BanMatcher } from './ban-matcher.ts';
import { isUnlisted, REACHED, type ListedGameServer } from '../../model/game-server.ts';
import { NO_DECISIONS, type Decisions } from './decisions.ts';

export class ShownRules {
  readonly decided: Decisions;
  readonly bans: BanMatcher;
  readonly #hidesUnreached: boolean;
  readonly #nextExpiryAt: number;

  constructor(hidesUnreached: boolean, decided = NO_DECISIONS) {
    this.decided = decided;
    this.bans = createBanMatcher(decided.bans);
    this.#hidesUnreached = hidesUnreached;
    this.#nextExpiryAt = Math.min(...decided.bans.map(({ expiresAt = Infinity }) => expiresAt));
  }

  /** The rules after these decisions. */
  after(decided: Decisions): ShownRules {
    return new ShownRules(this.#hidesUnreached, decided);
  }

  /** Whether the list shows the entry. */
  isShown(entry: ListedGameServer): boolean {
    return !isUnlisted(entry.id) && this.mayBeTold(entry);
  }

  /** Whether those that know its id are told of the entry. */
  mayBeTold(entry: ListedGameServer): boolean {
    if (this.#hidesUnreached && entry.reachability !== REACHED) return false;
    return this.bans.isEmpty || this.bans.find(entry) === undefined;
  }

  /** Whether a ban is over at `now`, ms since the epoch. */
  hasExpired(now: number): boolean {
    return this.#nextExpiryAt <= now;
  }
}
