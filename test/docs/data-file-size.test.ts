/** The size of a data file as docs/install.md tells it, against one that is written. */

import { statSync } from 'node:fs';
import { expect } from 'chai';
import { createGameServerId } from '../../src/model/game-server.ts';
import { aGameServer } from '../support/builders.ts';
import { readDocument } from '../support/markdown.ts';
import { useDataFiles } from '../support/use-data-files.ts';

/** So many that the line of the settings does not count. */
const GAME_SERVERS = 1000;

describe('the size of a data file', () => {
  const { newPath, openAt } = useDataFiles();

  it('is as docs/install.md says, for game servers with the fields of the README', async () => {
    const [, said] = /about (\d+) bytes a game server/.exec(readDocument('docs/install.md'))!;
    const path = newPath();
    const registry = await openAt(path);
    const gameServer = aGameServer({ host: 'eu1.example.com', name: 'Frankfurt 1' });
    const caller = { address: '203.0.113.7', proof: 'none' } as const;
    for (let count = 0; count < GAME_SERVERS; count += 1)
      await registry.broadcast(createGameServerId(), gameServer, caller);
    // It is written anew at the end.
    await registry.close();
    const measured = statSync(path).size / GAME_SERVERS;
    expect(Number(said)).to.be.closeTo(measured, 0.03 * measured);
  });
});
