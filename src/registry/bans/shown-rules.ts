/**
 * Decides which listed entries are shown: none that is unlisted or banned and, if an operator wants that, none that was
 * not reached. The answer depends on the entry and on what moderators decided alone: it is the same on every replica.
 *
 * To be shown is no state of an entry, so there is nothing to restore when a ban is taken back.
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

  /** The same rules with these decisions in place of the earlier ones. */
  after(decided: Decisions): ShownRules {
    return new ShownRules(this.#hidesUnreached, decided);
  }

  /** Whether the list shows the entry. */
  isShown(entry: ListedGameServer): boolean {
    return !isUnlisted(entry.id) && this.mayBeTold(entry);
  }

  /** Whether a client that knows the id may see the entry, listed or unlisted. */
  mayBeTold(entry: ListedGameServer): boolean {
    if (this.#hidesUnreached && entry.reachability !== REACHED) return false;
    return this.bans.isEmpty || this.bans.find(entry) === undefined;
  }

  /** Whether a ban is over at `now`, ms since the epoch. */
  hasExpired(now: number): boolean {
    return this.#nextExpiryAt <= now;
  }
}
