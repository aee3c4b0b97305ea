/** Game servers in a process of their own: each answers A2S_INFO, and its players come and go. */

import { openA2sGame, type A2sGame } from '../../test/support/a2s-game.ts';

export interface GamesOrder {
  readonly count: number;
}

/** Of all game servers, so often one has another number of players. */
const CHANGE_INTERVAL_MS = 10;

process.on('disconnect', () => process.exit());
process.on('message', async ({ count }: GamesOrder) => {
  const games: A2sGame[] = [];
  for (let n = 0; n < count; n += 1) games.push(await openA2sGame(`Server ${n}`));
  let turn = 0;
  setInterval(() => {
    turn += 1;
    games[turn % count]!.players = turn % 16;
  }, CHANGE_INTERVAL_MS);
  process.send!(games.map(({ port }) => port));
});
