import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describeClient } from '../../support/describe-client.ts';
import { EXAMPLES } from '../../support/game-process.ts';

/** With both clients, and an entry point of its own. */
const GAME = `static class Game
{
    static void Main()
    {
        new GameServer("http://localhost:53600");
        System.Console.WriteLine("the game goes on");
    }
}
`;

describeClient({
  name: 'GameServer.cs',
  needs: ['mcs', 'mono'],
  command: (program) => compile(program, ['RunGameServer.cs', 'GameServer.cs']),
  game(program) {
    writeFileSync(`${program}.cs`, GAME);
    return compile(program, [`${program}.cs`, 'GameServer.cs', 'ServerBrowser.cs']);
  },
  stop: (client) => client.stdin!.end('\n'),
  hidesFiles: false,
});

function compile(program: string, sources: readonly string[]): ['mono', string] {
  const libraries = ['System.Net.Http.dll', 'System.Runtime.Serialization.dll'].map((name) => `-r:${name}`);
  execFileSync('mcs', [...libraries, `-out:${program}`, ...sources], { cwd: EXAMPLES });
  return ['mono', program];
}
