/** The contract of a registry on a data file, and when and how that file is written. */

import { expect } from 'chai';
import { EventEmitter, once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { describeRegistry } from '../../support/describe-registry.ts';
import { openKeptRegistry } from '../../support/kept-registry.ts';
import { until } from '../../support/until.ts';
import {
  HEADER,
  besides,
  idsOf,
  linesOf,
  listOf,
  useDataFiles,
  useDisk,
} from '../../support/use-data-files.ts';
import { useDirectory } from '../../support/use-directory.ts';

describe('a data file', () => {
  const newPath = useDirectory();
  describeRegistry('memory and a file', (options) => openKeptRegistry(newPath(), options), true);
});

describe('a data file of a new registry', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  it('may be missing or empty', async () => {
    const empty = newPath();
    await writeFile(empty, '');
    for (const path of [newPath(), empty]) {
      const registry = await openAt(path);
      expect(await listOf(registry)).to.equal('{"servers":[],"count":0}');
      const id = await broadcastTo(registry, aGameServer());
      expect(await idsOf(await openAfterCrash(path))).to.deep.equal([id]);
    }
  });

  it('is written where a link leads to', async () => {
    const [path, linkPath] = [newPath(), newPath()];
    await writeFile(path, HEADER);
    await symlink(path, linkPath);
    const registry = await openAt(linkPath);
    await broadcastTo(registry, aGameServer());
    await registry.close();
    expect(linesOf(path)).to.have.lengthOf(2);
  });

  it('is written although it was read-only', async () => {
    const path = newPath();
    await writeFile(path, HEADER, { mode: 0o444 });
    await broadcastTo(await openAt(path), aGameServer());
    expect(statSync(path).mode & 0o777).to.equal(0o640);
    expect(linesOf(path)).to.have.lengthOf(2);
  });

  it('can be read by its owner alone when it is new: it holds the secret of the tokens', async () => {
    const path = newPath();
    await openAt(path);
    expect(statSync(path).mode & 0o777).to.equal(0o600);
  });

  it('has the permissions of the old one, but none for others', async () => {
    const path = newPath();
    await writeFile(path, HEADER);
    for (const [before, after] of [
      [0o600, 0o600],
      [0o640, 0o640],
      [0o644, 0o640],
    ] as const) {
      chmodSync(path, before);
      await (await openAt(path)).close();
      expect(statSync(path).mode & 0o777).to.equal(after);
    }
  });
});

describe('a data file is written', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  const disk = useDisk();
  it('before the answer, and not by a ping that changes nothing', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const id = await broadcastTo(registry, aGameServer());
    expect(linesOf(path)).to.have.lengthOf(2);
    await registry.ping(id, aGameServer());
    expect(linesOf(path)).to.have.lengthOf(2);
    await registry.ping(id, aGameServer({ players: 9 }));
    expect(linesOf(path)).to.have.lengthOf(3);
    await registry.remove(id, aGameServer().ip);
    expect(linesOf(path)).to.have.lengthOf(4);
  });

  it('before the answer to a broadcast that repeats one under way', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const first = registry.broadcast('one-id', aGameServer());
    expect(await registry.broadcast('one-id', aGameServer())).to.equal('listed');
    expect(linesOf(path)).to.have.lengthOf(2);
    await first;
  });

  it('anew when it has grown, while changes go on', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const ids = await Promise.all(Array.from({ length: 100 }, () => broadcastTo(registry, aGameServer())));
    let bytes = 0;
    let players = 0;
    while (statSync(path).size >= bytes) {
      bytes = statSync(path).size;
      expect(bytes).to.be.below(64_000_000);
      players += 1;
      await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));
    }
    expect(bytes).to.be.above(1_000_000);
    expect(await listOf(await openAfterCrash(path))).to.equal(await listOf(registry));
  });

  it('anew with the changes that come meanwhile, which a crash in the middle does not lose either', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const ids = await Promise.all(
      Array.from({ length: 50 }, () => broadcastTo(registry, aGameServer({ name: 'x'.repeat(128) }))),
    );
    const slowDisk = new EventEmitter();
    const syncs = once(slowDisk, 'syncs');
    const isAsked = new Promise<void>((resolve) => {
      disk.handles.sync = async () => {
        disk.handles.sync = disk.original.sync;
        resolve();
        await syncs;
      };
    });
    const grown = isAsked.then(() => true);
    for (let players = 0; !(await Promise.race([grown, nextTurn().then(() => false)])); players += 1)
      await Promise.all(ids.map((id) => registry.ping(id, aGameServer({ players }))));

    await registry.remove(ids[0]!, aGameServer().ip);
    await registry.ping(ids[1]!, aGameServer({ name: 'renamed meanwhile' }));
    const late = await broadcastTo(registry, aGameServer());
    const list = await listOf(registry);
    expect(statSync(path).size).to.be.above(1_000_000);
    expect(await listOf(await openAfterCrash(path))).to.equal(list);

    slowDisk.emit('syncs');
    await until(() => statSync(path).size < 1_000_000);
    await registry.ping(late, aGameServer({ players: 9 }));
    const restarted = await openAfterCrash(path);
    expect(await listOf(restarted)).to.equal(await listOf(registry));
    expect(await restarted.ping(ids[0]!, aGameServer())).to.equal('unknown');
  });

  it('anew at an orderly stop, with nothing left beside it', async () => {
    const path = newPath();
    const registry = await openAt(path);
    const id = await broadcastTo(registry, aGameServer());
    await registry.ping(id, aGameServer({ players: 9 }));
    await registry.close();
    expect(linesOf(path)).to.have.lengthOf(2);
    expect(besides(path)).to.deep.equal([]);
  });
});
