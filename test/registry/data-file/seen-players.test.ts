/** What a data file keeps of the players that were seen. */

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { REACHED } from '../../../src/model/game-server.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { useDataFiles } from '../../support/use-data-files.ts';

const SEEN = { players: 60, at: 1_700_000_000_000 };

describe('players that were seen, in a data file', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();

  it('are there after a stop and after a crash', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const id = await broadcastTo(registry, aGameServer());
    await registry.reachability.note(id, aGameServer(), REACHED, SEEN);
    expect((await openAfterCrash(path)).known(id)?.seen).to.deep.equal(SEEN);
    await registry.close();
    expect((await openAt(path)).known(id)?.seen).to.deep.equal(SEEN);
  });

  it('are missing in a file in which there are none, as older releases write it', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const id = await broadcastTo(registry, aGameServer());
    await registry.reachability.note(id, aGameServer(), REACHED);
    await registry.close();
    expect(readFileSync(path, 'utf8')).to.not.include('"seen"');
    const known = (await openAt(path)).known(id);
    expect([known?.reachability, known?.seen]).to.deep.equal([REACHED, undefined]);
  });
});
