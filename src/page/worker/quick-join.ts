/** Quick join: the choice of a server for a person who wants to play now. */

import type { ListedServer } from '../../model/view/listed-server.ts';

/** How many people who come at the same moment, with the same list, find a place. */
const ROOM_FOR = 1000;

/**
 * One of the servers that a person can join at once: with a free place, and without a password. Servers of the regions
 * come before others, and then those with players before empty ones. The best are those with the most players, as many
 * as have ROOM_FOR free places together. The chance of each is proportional to its free places, so that people who come
 * at the same moment do not meet at one server. `luck`: from 0 to less than 1. Undefined if no server can be joined.
 */
export function pickServer(
  servers: readonly ListedServer[],
  firstRegions: readonly string[],
  luck: number,
): ListedServer | undefined {
  const joinable = servers.filter((server) => freePlaces(server) > 0 && server.password !== true);
  const near = preferred(joinable, ({ region }) => region !== undefined && firstRegions.includes(region));
  const { best, free } = bestOf(preferred(near, ({ players }) => players > 0));
  let place = luck * free;
  return best.find((server) => {
    place -= freePlaces(server);
    return place < 0;
  });
}

/** The preferred servers, or all if none is preferred. */
function preferred(
  servers: readonly ListedServer[],
  isPreferred: (server: ListedServer) => boolean,
): readonly ListedServer[] {
  const found = servers.filter(isPreferred);
  return found.length > 0 ? found : servers;
}

/** `free`: the free places of all of them. */
function bestOf(servers: readonly ListedServer[]): {
  readonly best: readonly ListedServer[];
  readonly free: number;
} {
  const best: ListedServer[] = [];
  let free = 0;
  for (const server of servers.toSorted((a, b) => b.players - a.players)) {
    if (free >= ROOM_FOR) break;
    best.push(server);
    free += freePlaces(server);
  }
  return { best, free };
}

/** The free places; below 0 if there are more players than places. */
function freePlaces({ players, max_players: places }: ListedServer): number {
  return places - players;
}
