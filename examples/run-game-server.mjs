/**
 * A game server without a game, listed by game-server.mjs. Ctrl-C or SIGTERM ends it.
 *
 *     node run-game-server.mjs http://localhost:53600 [token file]
 */
import { Listing } from './game-server.mjs';

const gameServer = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto', // the address that this request comes from; or the public address itself
  players: 3,
  max_players: 16,
  map: 'de_dust2', // this and more is optional: see docs/api.md#details
  mode: 'bomb defusal',
};

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort());
const [, , url = '', tokenFile] = process.argv;
try {
  const listing = new Listing(url, { key: process.env.GSLS_KEY, tokenFile });
  void listing.keep(() => gameServer, stop.signal); // without await: the game goes on
} catch (error) {
  console.error(`GSLS: ${error.message}`);
  process.exitCode = 1;
}
