/**
 * Decides which listed entries are shown, none that is unlisted or banned and, if an operator wants that, none that was
 * not reached; and with which labels. The answers depend on the entry and on what moderators decided alone: they are
 * the same on every replica.
 *
 * Neither is a state of an entry, so there is nothing to restore when a decision is taken back.
 */

import { createBanMatcher, createRuleMatcher, type RuleMatcher } from './rule-matcher.ts';
import { isUnlisted, REACHED, type ListedGameServer } from '../../model/game-server.ts';
import type { Appearance } from '../snapshot/row.ts';
import { NO_DECISIONS, type Ban, type Decisions, type LabelRule } from './decisions.ts';

export class ShownRules implements Appearance {
  readonly decided: Decisions;
  readonly bans: RuleMatcher<Ban>;
  readonly #labels: RuleMatcher<LabelRule>;
  readonly #hidesUnreached: boolean;
  readonly #nextExpiryAt: number;

  constructor(hidesUnreached: boolean, decided = NO_DECISIONS) {
    this.decided = decided;
    this.bans = createBanMatcher(decided.bans);
    this.#labels = createRuleMatcher(decided.labels);
    this.#hidesUnreached = hidesUnreached;
    this.#nextExpiryAt = [...decided.bans, ...decided.labels].reduce(
      (next, { expiresAt = Infinity }) => Math.min(next, expiresAt),
      Infinity,
    );
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

  /** The labels of the entry, each once, in alphabetical order; undefined if it has none. */
  labelsOf(entry: ListedGameServer): readonly string[] | undefined {
    if (this.#labels.isEmpty) return undefined;
    const labels = new Set(this.#labels.findAll(entry).map(({ label }) => label));
    return labels.size === 0 ? undefined : [...labels].toSorted();
  }

  /** Whether a ban or a label is over at `now`, ms since the epoch. */
  hasExpired(now: number): boolean {
    return this.#nextExpiryAt <= now;
  }
}
