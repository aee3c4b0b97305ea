/** Parked entries and restarts of a registry with a data file. */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { finish } from '../../../src/api/work/work.ts';
import type { Caller } from '../../../src/registry/registry.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { lifetime } from '../../support/registry-fixture.ts';
import { idsOf, linesOf, useDataFiles } from '../../support/use-data-files.ts';

const { keepIdMs, ttlMs } = lifetime;
const { ip } = aGameServer();
const OWNER = { address: '203.0.113.7', proof: 'token' } as const satisfies Caller;

describe('a parked entry in a data file', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();
  let clock: ManualClock;
  beforeEach(() => (clock = new ManualClock()));

  for (const end of ['restart', 'crash'] as const)
    it(`is off the list after a ${end}, and its token brings it back`, async () => {
      const path = newPath();
      const registry = await openAt(path, { clock });
      const id = await broadcastTo(registry, aGameServer());
      await registry.park(id, ip, OWNER);
      if (end === 'restart') await registry.close();
      const next = await (end === 'restart' ? openAt : openAfterCrash)(path, { clock });
      expect(await idsOf(next)).to.deep.equal([]);
      expect(await next.ping(id, aGameServer(), OWNER)).to.equal('unknown');
      expect(await next.rebroadcast(id, aGameServer(), OWNER)).to.equal('refreshed');
      expect(await idsOf(next)).to.deep.equal([id]);
    });

  it('is parked for as long as it was to be, restarts or not', async () => {
    const path = newPath();
    const registry = await openAt(path, { clock });
    const [early, late] = [
      await broadcastTo(registry, aGameServer({ port: 1 })),
      await broadcastTo(registry, aGameServer({ port: 2 })),
    ];
    for (const id of [early, late]) await registry.park(id, ip, OWNER);
    await registry.close();
    clock.jump(keepIdMs - 1);
    const next = await openAt(path, { clock });
    expect(await next.rebroadcast(early, aGameServer({ port: 1 }), OWNER)).to.equal('refreshed');
    clock.jump(1);
    expect(await next.rebroadcast(late, aGameServer({ port: 2 }), OWNER)).to.equal('unknown');
  });

  it('is told as gone after a restart, each time that it leaves', async () => {
    const path = newPath();
    let registry = await openAt(path, { clock });
    const id = await broadcastTo(registry, aGameServer());
    const { snapshot: known } = await registry.list();
    for (let i = 0; i < 2; i += 1) {
      await registry.park(id, ip, OWNER);
      await registry.close();
      registry = await openAt(path, { clock });
      const { snapshot } = await registry.list();
      expect(finish(snapshot.changesSince(known))?.gone).to.deep.equal(new Set([id]));
      await registry.rebroadcast(id, aGameServer(), OWNER);
    }
  });

  it('is one that has lapsed to a release that knows no parked entries', async () => {
    const path = newPath();
    const registry = await openAt(path, { clock });
    const id = await broadcastTo(registry, aGameServer());
    await registry.park(id, ip, OWNER);
    await registry.close();
    expect(linesOf(path).map((line) => JSON.parse(line) as object)[1]).to.include({
      is: 'expired',
      expiresAt: 0,
    });
    // Such a release does not read when it was parked.
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"parkedAt":\d+/, '"other":0'));
    const older = await openAt(path, { clock });
    expect(await older.ping(id, aGameServer(), OWNER)).to.equal('unknown');
    expect(await idsOf(older)).to.deep.equal([]);
  });

  it('leaves the file with its time', async () => {
    const path = newPath();
    const registry = await openAt(path, { clock });
    const id = await broadcastTo(registry, aGameServer());
    await registry.park(id, ip, OWNER);
    clock.jump(keepIdMs);
    await clock.advance(ttlMs);
    await registry.close();
    const [, line] = linesOf(path);
    expect(JSON.parse(line!)).to.include({ is: 'left', id });
  });
});
