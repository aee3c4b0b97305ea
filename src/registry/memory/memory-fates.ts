/** Finds the fates of ids in memory. The twin of ../redis/redis-fates.ts. */

import type { ExpiredEntry, Fates } from '../backend.ts';
import type { GameServerId } from '../../model/game-server.ts';
import type { Entries } from './entries.ts';

export function createMemoryFates(entries: Entries): Fates {
  /** The entry with this id, which is not listed, if it can come back. */
  const leftEntryOf = (id: GameServerId): ExpiredEntry | undefined => {
    const left = entries.find(id);
    return left && { ...left, expiredAt: left.expiresAt, parkedUntil: entries.revivable.parkedUntil(id) };
  };

  return {
    async of(id) {
      const listed = entries.listed.get(id);
      if (listed !== undefined) return { is: 'listed', expiresAt: listed.expiresAt };
      const entry = leftEntryOf(id);
      if (entry !== undefined) return { is: 'expired', entry };
      const version = entries.removedVersionOf(id);
      return version === undefined ? { is: 'unknown' } : { is: 'removed', at: Math.floor(version / 1000) };
    },
    async expiredOf(client) {
      return entries.revivable.latestExpiredOf(client).flatMap(({ id }) => leftEntryOf(id) ?? []);
    },
  };
}
