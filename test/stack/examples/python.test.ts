import { describeClient, terminate } from '../../support/describe-client.ts';

describeClient({
  name: 'game_server.py',
  needs: ['python3'],
  command: () => ['python3', 'game_server.py'],
  stop: terminate,
  hidesFiles: process.platform !== 'win32',
});
