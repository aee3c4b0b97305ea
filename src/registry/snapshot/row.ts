/**
 * A row: all that this replica knows of one listed game server. renderRow() puts its public part into the list. The
 * rest is private; a registry adds fields for what it needs to know beside the list (a version, a deadline).
 */

import { hasSameLabels, type ListedGameServer } from '../../model/game-server.ts';

/** One state of a game server. A new state is a new object: the public part of a row never changes. */
export type Row = ListedGameServer;

/** The fields that decide the place of a row in the list. */
export type PlaceInList = Pick<Row, 'registeredVersion' | 'id'>;

/** How rows are shown. */
export interface Appearance {
  /** Whether Snapshots have the row. */
  isShown(row: Row): boolean;
  /** Undefined for none. */
  labelsOf(row: Row): readonly string[] | undefined;
  /** The number of players that readers get in place of what the row says; undefined for none. */
  shownPlayersOf(row: Row): number | undefined;
}

/** All are shown, with the labels that they have, and with what they say. */
export const PLAIN: Appearance = {
  isShown: () => true,
  labelsOf: ({ labels }) => labels,
  shownPlayersOf: () => undefined,
};

/** The row with its labels and its shown players: the same object if it has them. */
export function dressed<R extends Row>(row: R, appearance: Omit<Appearance, 'isShown'>): R {
  const labels = appearance.labelsOf(row);
  const shownPlayers = appearance.shownPlayersOf(row);
  return hasSameLabels(row, { labels }) && row.shownPlayers === shownPlayers
    ? row
    : { ...row, labels, shownPlayers };
}

/** Renders the public part of a row as JSON: with the players that it says, if no others are given. */
export function renderRow(row: Row, players = row.players): string {
  const { id, host, name, port, ip, maxPlayers } = row;
  return JSON.stringify({ id, host, name, port, ip, players, max_players: maxPlayers });
}

/** Compares by registration. The id decides between entries to which the mending of a loss gave the same version. */
export function compareRows(a: PlaceInList, b: PlaceInList): number {
  return a.registeredVersion - b.registeredVersion || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The index of the first element from `start` on that `isPast` accepts: it must then accept all after that one. */
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
