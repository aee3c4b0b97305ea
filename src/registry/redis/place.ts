/** The place of an entry in the index of addresses: see lua/lib/addresses.lua. */

import { comparableAddress } from '../../model/comparable.ts';
import type { GameServer } from '../../model/game-server.ts';

/** Returns the place, or '' if the address is spelled as it is compared, as nearly all are: Lua then builds it. */
export function placeOf({ host, ip, port }: Pick<GameServer, 'host' | 'ip' | 'port'>): string {
  const place = comparableAddress({ host, ip, port });
  return place === `${host}\n${ip}\n${port}` ? '' : place;
}
