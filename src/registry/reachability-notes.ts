/** The port by which a registry learns whether a game server could be reached. */

import type { GameServer, GameServerId } from '../model/game-server.ts';

export interface ReachabilityNotes {
  /**
   * Notes what came of an attempt to reach the game server. Does nothing when the entry is not listed there. Throws a
   * ServiceError `registry_unavailable` as a write does.
   */
  note(id: GameServerId, target: Pick<GameServer, 'ip' | 'port'>, reachability: string): Promise<void>;
}
