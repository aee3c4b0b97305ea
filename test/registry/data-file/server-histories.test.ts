/** The histories of game servers of a registry with a data file. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Backend, ServerHistory } from '../../../src/registry/backend.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { complaintAbout, HEADER, useDataFiles } from '../../support/use-data-files.ts';

const MINUTE_MS = 60_000;

function historyOf(registry: Backend, id: string): Promise<ServerHistory | undefined> {
  return registry.serverHistories!.of(id);
}

describe('the histories of game servers in a data file', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  let clock: ManualClock;
  let path: string;
  const opened = () => ({ clock, serverHistoryMost: 100 });

  beforeEach(() => {
    clock = new ManualClock();
    path = newPath();
  });

  async function passBlocks(registry: Backend, blocks: number, id: string): Promise<void> {
    for (let passed = 0; passed < 10 * blocks; passed += 0.5) {
      await clock.advance(MINUTE_MS / 2);
      await registry.ping(id, aGameServer());
    }
    await clock.advance(1000);
  }

  function linesOfHistories(): { is: string; version: number; parts: unknown[] }[] {
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.filter((line) => line.includes('"id":"histories-')).map((line) => JSON.parse(line));
  }

  it('are the same after a crash and after a stop, and go on', async () => {
    const registry = await openAt(path, opened());
    const id = await broadcastTo(registry, aGameServer());
    await passBlocks(registry, 8, id);
    const before = await historyOf(registry, id);
    expect(before!.points.map(({ players, uptime }) => [players, uptime])).to.deep.equal([
      [3, 1],
      [3, 1],
    ]);
    const crashed = await openAfterCrash(path, opened());
    expect(await historyOf(crashed, id)).to.deep.equal(before);
    await registry.close();
    expect(linesOfHistories()).to.have.length(1);
    const stopped = await openAt(path, opened());
    expect(await historyOf(stopped, id)).to.deep.equal(before);
    await passBlocks(stopped, 6, id);
    expect((await historyOf(stopped, id))!.points).to.have.length(3);
  });

  it('are several lines of at most 25, however many there are', async () => {
    const registry = await openAt(path, opened());
    const ids = [];
    for (let port = 1; port <= 60; port += 1) ids.push(await broadcastTo(registry, aGameServer({ port })));
    await passBlocks(registry, 1, ids[0]!);
    await registry.close();
    // Beside those of 60 game servers there is the record of when the list was looked at.
    expect(linesOfHistories().map(({ parts }) => parts.length)).to.deep.equal([25, 25, 11]);
    const stopped = await openAt(path, opened());
    for (const id of ids) expect(await historyOf(stopped, id)).to.have.property('uptime');
  });

  it('stay deleted', async () => {
    const registry = await openAt(path, opened());
    const id = await broadcastTo(registry, aGameServer());
    await passBlocks(registry, 1, id);
    await registry.evict(id);
    const crashed = await openAfterCrash(path, opened());
    expect(await historyOf(crashed, id)).to.equal(undefined);
    await registry.close();
    expect(await historyOf(await openAt(path, opened()), id)).to.equal(undefined);
  });

  it('are tombstones of no game server to an older release, which leaves nothing of them', async () => {
    const registry = await openAt(path, opened());
    await passBlocks(registry, 1, await broadcastTo(registry, aGameServer()));
    await registry.close();
    for (const line of linesOfHistories()) expect(line).to.include({ is: 'left', version: 0 });
    await writeFile(path, `${HEADER}{"is":"left","id":"histories-kept-0","version":0}\n`);
    const opening = await openAt(path, opened());
    await opening.close();
    expect(linesOfHistories()).to.deep.equal([]);
  });

  it('leave the file where none may be kept', async () => {
    const registry = await openAt(path, opened());
    const id = await broadcastTo(registry, aGameServer());
    await passBlocks(registry, 1, id);
    await registry.close();
    const without = await openAt(path, { clock });
    await without.ping(id, aGameServer({ players: 9 }));
    await without.close();
    expect(linesOfHistories()).to.deep.equal([]);
  });

  for (const [what, parts] of Object.entries({ 'are no list': '7', 'have no text': '[["one",1]]' })) {
    it(`refuse a file whose parts ${what}`, async () => {
      await writeFile(path, `${HEADER}{"is":"left","id":"histories-kept-0","version":0,"parts":${parts}}\n`);
      expect(await complaintAbout(path)).to.include('line 2 of it is damaged');
    });
  }
});
