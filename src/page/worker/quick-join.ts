/** Quick join: the choice of a server for a person who wants to play now. */

import type { ListedServer } from '../../model/view/listed-server.ts';

/** One of so many is picked, and of more only if they are nearly as good: if they have half the players of the best. */
const BEST = 5;
const MOST = 10;

/** The servers that a person can join at once. */
function joinable(servers: readonly ListedServer[]): readonly ListedServer[] {
  return servers.filter((server) => freePlaces(server) > 0 && server.password !== true);
}

/** Whether the servers that a person can join are in several regions. */
export function isChoiceOfRegions(servers: readonly ListedServer[]): boolean {
  return new Set(joinable(servers).flatMap(({ region }) => region ?? [])).size > 1;
}

/**
 * One of the servers that a person can join at once. Servers with more than one free place come before others, since
 * the last one is often gone; then those of the regions, then those with players. Of the best by players the chance of
 * each is proportional to its free places, so that people who come at the same moment do not meet at one server.
 * `luck`: from 0 to less than 1. Undefined if no server can be joined.
 */
export function pickServer(
  servers: readonly ListedServer[],
  firstRegions: readonly string[],
  luck: number,
): ListedServer | undefined {
  const roomy = preferred(joinable(servers), (server) => freePlaces(server) > 1);
  const near = preferred(roomy, ({ region }) => region !== undefined && firstRegions.includes(region));
  const sorted = preferred(near, ({ players }) => players > 0).toSorted((a, b) => b.players - a.players);
  const best = sorted
    .slice(0, MOST)
    .filter(({ players }, place) => place < BEST || 2 * players >= sorted[0]!.players);
  let place = luck * best.reduce((sum, server) => sum + freePlaces(server), 0);
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

/** The free places; below 0 if there are more players than places. */
function freePlaces({ players, max_players: places }: ListedServer): number {
  return places - players;
}
