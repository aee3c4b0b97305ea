/** The country of a game server that names none, by its address: found once, where a write becomes an entry. */

import type { Details } from '../../model/fields/details.ts';
import type { GameServer } from '../../model/game-server.ts';
import type { CountryOf } from '../http/context.ts';

/**
 * The game server with the country of its address, unless it names one. `known`: the details that its entry keeps if
 * the game server sends none.
 */
export function located(gameServer: GameServer, known?: Details, countryOf?: CountryOf): GameServer {
  const before = gameServer.details ?? known;
  if (countryOf === undefined || before === undefined) return gameServer;
  const details = before.withFound(countryOf(gameServer.ip));
  return details === before ? gameServer : { ...gameServer, details };
}
