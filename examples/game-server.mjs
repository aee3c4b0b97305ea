/**
 * Keeps a game server listed in GSLS, with its client for JavaScript: install the package gsls-client first, as
 * clients/typescript/README.md says. Ctrl-C or SIGTERM ends it.
 *
 *     node game-server.mjs http://localhost:53600 [token file]
 */
import { announce } from 'gsls-client';

const gameServer = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  players: 3,
  max_players: 16,
  map: 'de_dust2', // this and more is optional: see docs/api.md#details
  mode: 'bomb defusal',
};

const [, , url = '', tokenFile] = process.argv;
try {
  const announcement = announce(url, gameServer, { key: process.env.GSLS_KEY, tokenFile });
  // Here the game goes on: announcement.update({ players: 5 }) tells what changes in it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => announcement.stop());
} catch (error) {
  console.error(`GSLS: ${error.message}`);
  process.exitCode = 1;
}
