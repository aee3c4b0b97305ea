/** A disk that is full, or does not answer, while a registry goes on in memory. */

import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DEADLINES } from '../../../src/runtime/deadlines.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';
import {
  CHECK_INTERVAL_MS,
  HEADER,
  besides,
  idsOf,
  linesOf,
  listOf,
  listedLine,
  useDataFiles,
  useDisk,
} from '../../support/use-data-files.ts';

describe('a data file that cannot be written', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  const disk = useDisk();
  let told: string[];
  const fileEvents = {
    onUnwritable: (reason: unknown) => told.push((reason as Error).message),
    onWritable: () => told.push('written'),
  };
  beforeEach(() => {
    told = [];
  });
  it('is told once, answers go on, and it is whole again by itself', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock, fileEvents });
    await broadcastTo(registry, aGameServer());
    disk.handles.writeFile = diskIsFull;
    const id = await broadcastTo(registry, aGameServer());
    expect(await registry.ping(id, aGameServer({ players: 9 }))).to.equal('refreshed');
    await clock.advance(3 * CHECK_INTERVAL_MS);
    expect(await listOf(registry))
      .to.include('"count":2')
      .and.to.include('"players":9');
    expect(told).to.deep.equal(['ENOSPC: no space left on device, write']);
    expect(besides(path)).to.not.include(`${basename(path)}.new`);

    disk.handles.writeFile = disk.original.writeFile;
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told).to.deep.equal(['ENOSPC: no space left on device, write', 'written']);
    await broadcastTo(registry, aGameServer());
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
  });

  it('is read all the same when the disk is full at the start', async () => {
    const clock = new ManualClock();
    const path = newPath();
    await writeFile(path, HEADER + listedLine('an-id'));
    disk.handles.writeFile = diskIsFull;
    const registry = await openAt(path, { clock, fileEvents });
    expect(await idsOf(registry)).to.deep.equal(['an-id']);
    expect(await registry.ping('an-id', aGameServer({ players: 9 }))).to.equal('refreshed');
    expect(readFileSync(path, 'utf8')).to.equal(HEADER + listedLine('an-id'));
    expect(told).to.deep.equal(['ENOSPC: no space left on device, write']);
    disk.handles.writeFile = disk.original.writeFile;
    await clock.advance(CHECK_INTERVAL_MS);
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
  });

  it('is whole again after a stop, if it can be written then', async () => {
    const path = newPath();
    const registry = await openAt(path, { fileEvents });
    disk.handles.writeFile = diskIsFull;
    await broadcastTo(registry, aGameServer());
    disk.handles.writeFile = disk.original.writeFile;
    await registry.close();
    expect(await listOf(await openAt(path))).to.equal(await listOf(registry));
  });

  it('delays no answer when it does not answer itself, and loses nothing when it does again', async () => {
    const path = newPath();
    const registry = await openAt(path, { fileEvents, deadlines: DEADLINES });
    const slowDisk = new EventEmitter();
    const answers = once(slowDisk, 'answers');
    disk.handles.writeFile = async function (this: FileHandle, ...args) {
      await answers;
      await disk.original.writeFile.apply(this, args);
    };
    await Promise.all([broadcastTo(registry, aGameServer()), broadcastTo(registry, aGameServer())]);
    await broadcastTo(registry, aGameServer());
    expect(linesOf(path)).to.have.lengthOf(1);
    expect(told).to.deep.equal(['a write takes longer than 500 ms']);
    const answer = broadcastTo(registry, aGameServer()).then(() => 'at once');
    expect(await Promise.race([answer, nextTurn().then(() => 'later')])).to.equal('at once');

    slowDisk.emit('answers');
    await until(() => told.length === 2);
    await broadcastTo(registry, aGameServer());
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    expect(told.slice(1)).to.deep.equal(['written']);
  });

  it('anew still takes every change, and is written anew later', async () => {
    const clock = new ManualClock();
    const path = newPath();
    const registry = await openAt(path, { clock, fileEvents });
    await mkdir(`${path}.new`);
    const ids = await Promise.all(Array.from({ length: 100 }, () => broadcastTo(registry, aGameServer())));
    for (let players = 0; told.length === 0; players += 1)
      await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));
    await broadcastTo(registry, aGameServer());
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
    await rm(`${path}.new`, { recursive: true, force: true });
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.map((each) => each.split(':')[0])).to.deep.equal(['Path is a directory', 'written']);
    expect(linesOf(path)).to.have.lengthOf(1 + 101);
  });
});

/** Instead of a write of a file handle. */
function diskIsFull(): Promise<never> {
  const message = 'ENOSPC: no space left on device, write';
  return Promise.reject(Object.assign(new Error(message), { code: 'ENOSPC' }));
}
