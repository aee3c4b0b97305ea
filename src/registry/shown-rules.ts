/**
 * Which listed entries are shown: not those that are unlisted or banned, and, if it is wanted, only those that could be reached.
 * A function of the entry and of what moderators have decided, hence the same on every replica. Knows nothing of where
 * entries are kept.
 */

import { createBanMatcher, type BanMatcher } from './ban-matcher.ts';
import { isUnlisted, REACHED, type ListedGameServer } from './game-server.ts';
import { NO_MODERATION, type Moderation } from './moderation.ts';

export class ShownRules {
  readonly moderation: Moderation;
  readonly bans: BanMatcher;
  readonly #hidesUnreached: boolean;
  readonly #nextExpiryAt: number;

  constructor(hidesUnreached: boolean, moderation = NO_MODERATION) {
    this.moderation = moderation;
    this.bans = createBanMatcher(moderation.bans);
    this.#hidesUnreached = hidesUnreached;
    this.#nextExpiryAt = Math.min(...moderation.bans.map(({ expiresAt = Infinity }) => expiresAt));
  }

  /** The rules after these decisions. */
  after(moderation: Moderation): ShownRules {
    return new ShownRules(this.#hidesUnreached, moderation);
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
