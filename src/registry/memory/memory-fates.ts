/** Finds the fates of ids in memory. The twin of ../redis/redis-fates.ts. */

import type { Fates } from '../backend.ts';
import type { Entries } from './entries.ts';

export function createMemoryFates(entries: Entries): Fates {
  return {
    async of(id) {
      const listed = entries.listed.get(id);
      if (listed !== undefined) return { is: 'listed', expiresAt: listed.expiresAt };
      const left = entries.find(id);
      const parkedUntil = entries.revivable.parkedUntil(id);
      if (left !== undefined)
        return { is: 'expired', entry: { ...left, expiredAt: left.expiresAt, parkedUntil } };
      const version = entries.removedVersionOf(id);
      return version === undefined ? { is: 'unknown' } : { is: 'removed', at: Math.floor(version / 1000) };
    },
  };
}
