import { describeClient, terminate } from '../../support/describe-client.ts';

const GAME = 'import game_server, server_browser; print("the game goes on")';

describeClient({
  name: 'game_server.py',
  needs: ['python3'],
  command: () => ['python3', 'game_server.py'],
  // Without a cache of the modules in the sources.
  game: () => ['python3', '-B', '-c', GAME],
  stop: terminate,
  hidesFiles: process.platform !== 'win32',
});
