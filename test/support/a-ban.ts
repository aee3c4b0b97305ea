/** Bans and labels for tests: a test names only the fields that matter to it. */

import type { Ban, LabelRule, Patterns } from '../../src/registry/decisions/decisions.ts';

let bans = 0;

/** With patterns alone: a ban that refuses. */
export function aBan(overrides: Patterns & Partial<Ban>): Ban {
  bans += 1;
  return { ban: `ban-${bans}`, reason: 'spam', mode: 'refuse', author: 'ann', createdAt: 1000, ...overrides };
}

/** With patterns alone: the label official. */
export function aLabel(overrides: Patterns & Partial<LabelRule>): LabelRule {
  bans += 1;
  return { rule: `rule-${bans}`, label: 'official', author: 'ann', createdAt: 1000, ...overrides };
}
