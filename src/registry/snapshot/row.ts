/**
 * A row: what this replica knows of a listed game server. Its public part is what renderRow() puts into the list. The
 * rest is private, and a registry adds what it needs to know beside the list (a version, a deadline) as more fields.
 */

import type { ListedGameServer } from '../../model/game-server.ts';

/** An object of its own for each state of a game server: what the list shows of a row never changes. */
export type Row = ListedGameServer;

/** What decides where a row stands in the list. */
export type PlaceInList = Pick<Row, 'registeredVersion' | 'id'>;

/** The public part, as JSON. */
export function renderRow({ id, host, name, port, ip, players, maxPlayers }: Row): string {
  return JSON.stringify({ id, host, name, port, ip, players, max_players: maxPlayers });
}

/** Order of registration. The id decides between entries that have one version since a loss was mended. */
export function compareRows(a: PlaceInList, b: PlaceInList): number {
  return a.registeredVersion - b.registeredVersion || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The index of the first element from `start` on that `isPast` accepts; the elements must be ordered by it. */
export function lowerBound<T>(elements: readonly T[], isPast: (element: T) => boolean, start = 0): number {
  let low = start;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isPast(elements[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
