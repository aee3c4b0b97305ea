/**
 * Decides which listed entries are shown, none that is unlisted or banned and, if an operator wants that, none that was
 * not reached; with which labels, and with which number of players. The answers depend on the entry and on what
 * moderators decided alone: they are the same on every replica.
 *
 * Neither is a state of an entry, so there is nothing to restore when a decision is taken back.
 */

import { createBanMatcher, createRuleMatcher, type RuleMatcher } from './rule-matcher.ts';
import { isUnlisted, REACHED, type ListedGameServer } from '../../model/game-server.ts';
import type { RegistryRules } from '../registry-rules.ts';
import type { Appearance } from '../snapshot/row.ts';
import { NO_DECISIONS, type Ban, type Decisions, type LabelRule } from './decisions.ts';

/** The rules of an operator for how entries look. */
export type LookRules = Pick<RegistryRules, 'hidesUnreached' | 'showsSeenPlayers'>;

export class ShownRules implements Appearance {
  readonly decided: Decisions;
  readonly bans: RuleMatcher<Ban>;
  readonly #labels: RuleMatcher<LabelRule>;
  readonly #rules: LookRules;
  readonly #nextExpiryAt: number;

  constructor(rules: LookRules, decided = NO_DECISIONS) {
    this.decided = decided;
    this.bans = createBanMatcher(decided.bans);
    this.#labels = createRuleMatcher(decided.labels);
    this.#rules = rules;
    this.#nextExpiryAt = [...decided.bans, ...decided.labels].reduce(
      (next, { expiresAt = Infinity }) => Math.min(next, expiresAt),
      Infinity,
    );
  }

  /** The same rules with these decisions in place of the earlier ones. */
  after(decided: Decisions): ShownRules {
    return new ShownRules(this.#rules, decided);
  }

  /** Whether the list shows the entry. */
  isShown(entry: ListedGameServer): boolean {
    return !isUnlisted(entry.id) && this.mayBeTold(entry);
  }

  /** Whether a client that knows the id may see the entry, listed or unlisted. */
  mayBeTold(entry: ListedGameServer): boolean {
    if (this.#rules.hidesUnreached === true && entry.reachability !== REACHED) return false;
    return this.bans.isEmpty || this.bans.find(entry) === undefined;
  }

  /** The number of players that is shown in place of what the entry says; undefined for none. */
  shownPlayersOf({ seen }: ListedGameServer): number | undefined {
    return this.#rules.showsSeenPlayers === true ? seen?.players : undefined;
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
