/** Where the index of addresses has an entry: see lua/lib/addresses.lua. */

import { comparableAddress } from '../../model/comparable.ts';
import type { GameServer } from '../../model/game-server.ts';

/** '' where the address is spelled as it is compared, as nearly all are: Lua makes it itself then. */
export function placeOf({ host, ip, port }: Pick<GameServer, 'host' | 'ip' | 'port'>): string {
  const place = comparableAddress({ host, ip, port });
  return place === `${host}\n${ip}\n${port}` ? '' : place;
}
