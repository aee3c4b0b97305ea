import { describeClient, terminate } from '../../support/describe-client.ts';

describeClient({
  name: 'game-server.mjs',
  needs: [],
  command: () => [process.execPath, 'game-server.mjs'],
  stop: terminate,
  hidesFiles: process.platform !== 'win32',
});
