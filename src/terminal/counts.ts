/** How many game servers and players there are, in words. */

import type { ListedServer } from '../client/listed-server.ts';

/** `total`: of all that match, which may be more than are shown. */
export function countsLine(servers: readonly Pick<ListedServer, 'players'>[], total: number): string {
  const players = servers.reduce((sum, each) => sum + each.players, 0);
  const shown = servers.length < total ? `${servers.length} of ${total}` : String(total);
  return `${shown} ${total === 1 ? 'server' : 'servers'}, ${players} ${players === 1 ? 'player' : 'players'}`;
}
