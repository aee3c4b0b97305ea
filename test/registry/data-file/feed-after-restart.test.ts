import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { finish } from '../../../src/api/work/work.ts';
import { createUnlistedId } from '../../../src/model/unlisted-id.ts';
import { FEWEST_TOMBSTONES } from '../../../src/registry/lifetime.ts';
import type { Backend } from '../../../src/registry/backend.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { aBan } from '../../support/a-ban.ts';
import { aGameServer, broadcastTo } from '../../support/builders.ts';
import { numbers } from '../../support/in-groups.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { HEADER, useDataFiles } from '../../support/use-data-files.ts';

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

  it('begins anew for a client that is older than a forgotten removal, also once another id came back', async () => {
    const path = newPath();
    const removed = numbers(FEWEST_TOMBSTONES + 1).map(
      (n) => `{"is":"left","id":"id-${n}","version":${1e6 * (1 + n)}}`,
    );
    writeFileSync(path, `${HEADER}${removed.join('\n')}\n`);
    const registry = await openAt(path);
    const { history } = await snapshotOf(registry);
    const [lifetime, describe] = [{ ttlMs: 60_000, silentBelowMs: 1 }, () => aGameServer()];
    const state = { protocol: 'played', lifetime, link: 'a://1', describe, document: 'd' };
    await registry.nativeEntries.publish('id-7', state, { address: '192.0.2.1' });
    await registry.close();
    const snapshot = await snapshotOf(await openAt(path));
    expect(snapshot.knows({ history, version: 1e6 - 1 })).to.equal(false);
    expect(snapshot.knows({ history, version: 1e6 })).to.equal(true);
  });

  it('begins anew when other entries or numbers are shown than before', async () => {
    const path = newPath();
    const registry = await openAt(path);
    await broadcastTo(registry, aGameServer());
    let before = await snapshotOf(registry);
    await registry.close();
    for (const rules of [{ hidesUnreached: true }, { hidesUnreached: true, showsSeenPlayers: true }]) {
      const restarted = await openAt(path, rules);
      expect(finish((await snapshotOf(restarted)).changesSince(before))).to.equal(undefined);
      await broadcastTo(restarted, aGameServer());
      before = await snapshotOf(restarted);
      await restarted.close();
    }
  });
});
