import { execFileSync } from 'node:child_process';
import { describeClient } from '../../support/describe-client.ts';
import { EXAMPLES } from '../../support/game-process.ts';

describeClient({
  name: 'GameServer.cs',
  needs: ['mcs', 'mono'],
  command(program) {
    execFileSync('mcs', ['-r:System.Net.Http.dll', `-out:${program}`, 'GameServer.cs'], { cwd: EXAMPLES });
    return ['mono', program];
  },
  stop: (client) => client.stdin!.end('\n'),
  hidesFiles: false,
});
