/** Notes in memory whether a game server could be reached. The twin of ../redis/lua/note-reachability.lua. */

import { hasSameSeen } from '../../model/game-server.ts';
import type { ReachabilityNotes } from '../backend.ts';
import type { Entries } from './entries.ts';
import type { Journal } from './journal.ts';

export function createMemoryReachability(entries: Entries, journal: Journal | undefined): ReachabilityNotes {
  return {
    async note(id, { ip, port }, reachability, seen) {
      const entry = entries.listed.get(id);
      if (entry?.ip !== ip || entry.port !== port) return;
      if (entry.reachability === reachability && hasSameSeen(entry, { seen })) return;
      entries.noteReachability(entry, { reachability, seen });
      await journal?.written();
    },
  };
}
