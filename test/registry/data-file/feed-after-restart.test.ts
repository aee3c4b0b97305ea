import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { finish } from '../../../src/api/work/work.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import type { Backend } from '../../../src/registry/backend.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { useDataFiles } from '../../support/use-data-files.ts';

const { ip } = aGameServer();

async function snapshotOf(registry: Backend): Promise<Snapshot> {
  return (await registry.list()).snapshot;
}

describe('the feed of a registry with a data file', () => {
  const { newPath, openAt, openAfterCrash } = useDataFiles();

  it('goes on after a restart: with what changed, left and expired before and after it', async () => {
    const path = newPath();
    const clock = new ManualClock();
    const registry = await openAt(path, { clock });
    const [stays, changes, gone, late, hidden] = [
      await broadcastTo(registry, aGameServer({ port: 1 })),
      await broadcastTo(registry, aGameServer({ port: 2 })),
      await broadcastTo(registry, aGameServer({ port: 3 })),
      await broadcastTo(registry, aGameServer({ port: 4 })),
      createUnlistedId(),
    ];
    await registry.broadcast(hidden, aGameServer({ port: 5 }));
    const known = await snapshotOf(registry);
    await registry.ping(changes, aGameServer({ port: 2, players: 9 }));
    await registry.remove(gone, ip);
    await registry.remove(hidden, ip);
    await registry.close();

    const restarted = await openAt(path, { clock });
    await restarted.remove(late, ip);
    const snapshot = await snapshotOf(restarted);
    expect(snapshot.history).to.not.equal(known.history);
    const since = finish(snapshot.changesSince(known))!;
    expect(since.changed.map(({ id }) => id)).to.deep.equal([changes]);
    expect(since.gone).to.deep.equal(new Set([gone, late]));
    expect(finish(snapshot.changesSince(snapshot))).to.deep.equal({ changed: [], gone: new Set() });
    await restarted.close();
    const again = await snapshotOf(await openAt(path, { clock }));
    expect(finish(again.changesSince(known))?.gone).to.deep.equal(new Set([gone, late]));
    expect(again.chunks.flatMap(({ rows }) => rows.map(({ id }) => id))).to.deep.equal([stays, changes]);
  });

  it('begins anew for a client that has seen what a crash has cut off', async () => {
    const path = newPath();
    const registry = await openAt(path);
    await broadcastTo(registry, aGameServer({ port: 1 }));
    const kept = await snapshotOf(registry);
    const file = readFileSync(path);
    await broadcastTo(registry, aGameServer({ port: 2 }));
    const lost = await snapshotOf(registry);
    const crashed = newPath();
    writeFileSync(crashed, file);
    const snapshot = await snapshotOf(await openAt(crashed));
    expect(finish(snapshot.changesSince(kept))).to.not.equal(undefined);
    expect(finish(snapshot.changesSince(lost))).to.equal(undefined);
  });

  it('begins anew for a client that knows the list of before the last ban', async () => {
    const path = newPath();
    const clock = new ManualClock();
    const registry = await openAt(path, { clock });
    const id = await broadcastTo(registry, aGameServer());
    const before = await snapshotOf(registry);
    await registry.moderation.decide((decided) => ({ ...decided, bans: [aBan({ id })] }));
    const after = await snapshotOf(registry);
    expect(finish(after.changesSince(before))).to.deep.equal({ changed: [], gone: new Set([id]) });
    const snapshot = await snapshotOf(await openAfterCrash(path, { clock }));
    expect(finish(snapshot.changesSince(before))).to.equal(undefined);
    expect(finish(snapshot.changesSince(after))).to.deep.equal({ changed: [], gone: new Set() });
  });

  it('begins anew when other entries are shown than before', async () => {
    const path = newPath();
    const registry = await openAt(path);
    await broadcastTo(registry, aGameServer());
    const before = await snapshotOf(registry);
    await registry.close();
    const restarted = await openAt(path, { hidesUnreached: true });
    expect(finish((await snapshotOf(restarted)).changesSince(before))).to.equal(undefined);
  });
});
