/** Bans for tests: a test names only the fields that matter to it. */

import type { Ban, BanPatterns } from '../../src/registry/bans/decisions.ts';

let bans = 0;

/** With patterns alone: a ban that refuses. */
export function aBan(overrides: BanPatterns & Partial<Ban>): Ban {
  bans += 1;
  return { ban: `ban-${bans}`, reason: 'spam', mode: 'refuse', author: 'ann', createdAt: 1000, ...overrides };
}
