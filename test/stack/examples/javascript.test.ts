import { pathToFileURL } from 'node:url';
import { describeClient, terminate } from '../../support/describe-client.ts';
import { EXAMPLES } from '../../support/game-process.ts';

const GAME = `
await import(${JSON.stringify(pathToFileURL(`${EXAMPLES}game-server.mjs`))});
console.log('the game goes on');
`;

describeClient({
  name: 'game-server.mjs',
  needs: [],
  command: () => [process.execPath, 'run-game-server.mjs'],
  game: () => [process.execPath, '--input-type=module', '--eval', GAME],
  stop: terminate,
  hidesFiles: process.platform !== 'win32',
});
