/** Verification as endpoints see it. Knows nothing of how a game server is reached. */

import type { GameServer, GameServerId } from '../registry/game-server.ts';
import type { Client } from './client.ts';

/**
 * Takes note of an entry whose game server has just broadcast or pinged, and says in one line of printable ASCII what
 * came of the attempts to reach it.
 */
export type Verification = (
  id: GameServerId,
  gameServer: GameServer,
  client: Client,
  isBroadcast: boolean,
) => string;
