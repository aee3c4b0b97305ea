/** The way out that the message about a data file after a power loss names, typed as it stands. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { aGameServer, broadcastTo } from '../../../support/builders.ts';
import { needs } from '../../../support/needs.ts';
import { complaintAbout, idsOf, listedLine, useDataFiles } from '../../../support/use-data-files.ts';

// Its sed is that of GNU.
needs('Linux').describe('a data file with zeros in its lines', () => {
  const { newPath, openAt } = useDataFiles();

  it('is refused, until they are dropped as the message says', async () => {
    const path = newPath();
    const before = await openAt(path);
    const id = await broadcastTo(before, aGameServer());
    const { snapshot: known } = await before.list();
    await before.close();
    const zeros = '\0'.repeat(100_000);
    const kept = readFileSync(path, 'utf8');
    const damaged = `${kept}{"is":"li${zeros}":1}\n${listedLine('another')}${zeros}`;
    await writeFile(path, damaged);
    const complaint = await complaintAbout(path);
    expect(complaint).to.match(/line \d+ of it has zeros, as after a power loss/);
    const [, command] = /type: (.*) \(it keeps/.exec(complaint)!;
    execFileSync('sh', ['-c', command!]);
    expect(readFileSync(`${path}.damaged`, 'utf8')).to.equal(damaged);
    const registry = await openAt(path);
    expect(await idsOf(registry)).to.have.members([id, 'another']);
    expect((await registry.list()).snapshot.knows(known)).to.equal(false);
  });
});
