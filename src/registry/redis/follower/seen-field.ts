/** The field `seen` of a record: a number of players, a space, and when it was seen, in seconds since the epoch. */

import { MOST_PLAYERS, type SeenPlayers } from '../../../model/game-server.ts';

const SEEN = /^(0|[1-9]\d{0,6}) ([1-9]\d{0,10})$/;
const MS_PER_S = 1000;

/** Undefined for a text that GSLS did not write. */
export function parseSeen(text: string): SeenPlayers | undefined {
  const [, players, at] = SEEN.exec(text) ?? [];
  if (players === undefined || Number(players) > MOST_PLAYERS) return undefined;
  return { players: Number(players), at: Number(at) * MS_PER_S };
}

/** '' for none. */
export function formatSeen(seen: SeenPlayers | undefined): string {
  return seen === undefined ? '' : `${seen.players} ${Math.floor(seen.at / MS_PER_S)}`;
}
