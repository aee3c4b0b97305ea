/** How full a server is, for the bar in its row, in its details, and without a script. */

/** The share of the places that are taken, up to 1; 0 if the server has none. */
export function loadOf(players: number, places: number): number {
  return places > 0 ? Math.min(1, players / places) : 0;
}
