/** Other programs delete, replace or change a data file that is in use. */

import { expect } from 'chai';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Registry } from '../../../src/registry/registry.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  CHECK_INTERVAL_MS,
  HEADER,
  besides,
  idsOf,
  linesOf,
  listOf,
  listedLine,
  useDataFiles,
} from '../../support/use-data-files.ts';

describe('a data file that another program changes', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  let told: unknown[];
  const fileEvents = {
    onDisturbed: (...what: unknown[]) => told.push(...what),
    onUnwritable: (reason: unknown) => told.push((reason as Error).message),
    onWritable: () => told.push('written'),
  };
  let clock: ManualClock;
  let path: string;
  let registry: Registry;
  beforeEach(async () => {
    told = [];
    clock = new ManualClock();
    path = `${newPath()}/file`;
    await mkdir(dirname(path));
    registry = await openAt(path, { clock, fileEvents });
    await broadcastTo(registry, aGameServer());
  });

  /** Everything is in the file, also what comes now. */
  async function expectWhole(): Promise<void> {
    await broadcastTo(registry, aGameServer());
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
  }

  /** As a program does that swaps a file in. */
  async function putInPlace(content: string): Promise<void> {
    const other = newPath();
    await writeFile(other, content);
    await rename(other, path);
  }

  it('is left alone as long as none does', async () => {
    const { ino } = statSync(path);
    await clock.advance(3 * CHECK_INTERVAL_MS);
    expect(statSync(path).ino).to.equal(ino);
    expect(told).to.deep.equal([]);
  });

  it('is written anew within 5 s when it is deleted', async () => {
    await rm(path);
    await broadcastTo(registry, aGameServer());
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told).to.deep.equal(['deleted', undefined]);
    await expectWhole();
  });

  it('is written anew at a stop when it is deleted just before', async () => {
    const list = await listOf(registry);
    await rm(path);
    await registry.close();
    expect(await listOf(await openAt(path))).to.equal(list);
  });

  it('is written anew when another has its name, and that is kept', async () => {
    await putInPlace(HEADER + listedLine('other'));
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told).to.deep.equal(['replaced', `${path}.aside`]);
    expect(readFileSync(`${path}.aside`, 'utf8')).to.equal(HEADER + listedLine('other'));
    await expectWhole();
  });

  it('does not replace another that has its name at a stop without keeping it', async () => {
    await putInPlace('my notes');
    await registry.ping((await idsOf(registry))[0]!, aGameServer({ players: 9 }));
    await registry.close();
    expect(readFileSync(`${path}.aside`, 'utf8')).to.equal('my notes');
    expect(linesOf(path)).to.have.lengthOf(2);
  });

  it('is not written when one is kept aside already, until that is moved away', async () => {
    await putInPlace('my notes');
    await clock.advance(CHECK_INTERVAL_MS);
    await putInPlace('my other notes');
    told = [];
    await clock.advance(3 * CHECK_INTERVAL_MS);
    expect(told).to.deep.equal([
      `another file is in its place that cannot be kept as ${path}.aside, which is there already: move both away`,
    ]);
    expect(readFileSync(path, 'utf8')).to.equal('my other notes');
    expect(readFileSync(`${path}.aside`, 'utf8')).to.equal('my notes');
    await rm(`${path}.aside`);
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.slice(1)).to.deep.equal(['replaced', `${path}.aside`, 'written']);
    expect(readFileSync(`${path}.aside`, 'utf8')).to.equal('my other notes');
    await expectWhole();
  });

  it('is not written while a directory has its name', async () => {
    await rm(path);
    await mkdir(path);
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.join()).to.match(
      /^a directory is in its place that cannot be kept as \S+ \(E\w+\): move it away$/,
    );
    await rm(path, { recursive: true });
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.slice(1)).to.deep.equal(['deleted', undefined, 'written']);
    await expectWhole();
  });

  for (const [what, change] of Object.entries({
    'is cut off': () => truncate(path, 40),
    'is written to': () => appendFile(path, 'a line'),
    'gets other content': () => writeFile(path, HEADER),
  }))
    it(`is written anew when it ${what}, and that is kept`, async () => {
      await change();
      const found = readFileSync(path, 'utf8');
      await clock.advance(CHECK_INTERVAL_MS);
      expect(told).to.deep.equal(['changed', `${path}.aside`]);
      expect(readFileSync(`${path}.aside`, 'utf8')).to.equal(found);
      await expectWhole();
    });

  it('is written anew when it is emptied', async () => {
    await truncate(path);
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told).to.deep.equal(['changed', undefined]);
    await expectWhole();
  });

  it('is written anew when its directory is there again, with its lock', async () => {
    await rm(dirname(path), { recursive: true });
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.join()).to.match(/^ENOENT: [^,]*, open '\S+'$/);
    await broadcastTo(registry, aGameServer());
    await mkdir(dirname(path));
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.slice(1)).to.deep.equal(['deleted', undefined, 'written']);
    expect(besides(path)).to.deep.equal([`file.${process.pid}.lock`]);
    await expectWhole();
  });

  it('is not written when its directory is made again for another process', async () => {
    await registry.close();
    let isRunning = false;
    const processes = { ownPid: 1001, isRunning: () => isRunning };
    registry = await openAt(path, { clock, fileEvents, processes });
    await rm(dirname(path), { recursive: true });
    await mkdir(dirname(path));
    await writeFile(`${path}.1002.lock`, '');
    isRunning = true;
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.join()).to.match(/^process 1002 uses it; /);
    expect(existsSync(path)).to.equal(false);
    isRunning = false;
    await clock.advance(CHECK_INTERVAL_MS);
    expect(told.slice(1)).to.deep.equal(['deleted', undefined, 'written']);
    await expectWhole();
  });

  it('is written anew by two processes that do not see each other only until one has kept that of the other', async () => {
    const second = await openAt(path, { clock, fileEvents });
    const [ids, others] = [await idsOf(registry), await idsOf(second)];
    expect(others).to.deep.equal(ids);
    await broadcastTo(second, aGameServer());
    await clock.advance(3 * CHECK_INTERVAL_MS);
    expect(told.slice(0, 2)).to.deep.equal(['replaced', `${path}.aside`]);
    expect(told.slice(2))
      .to.have.lengthOf(1)
      .and.match(/which is there already: move both away/);
    await expectWhole();
  });
});
