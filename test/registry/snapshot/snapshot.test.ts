import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createGameServerId, type ListedGameServer } from '../../../src/registry/game-server.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { aGameServer } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';

/** The list as the specification has it, rendered from scratch. */
function renderFromScratch(listed: Iterable<ListedGameServer>): string {
  const servers = [...listed]
    .toSorted((a, b) => a.registeredVersion - b.registeredVersion)
    .map(({ id, host, name, port, ip, players, maxPlayers }) => ({
      id,
      host,
      name,
      port,
      ip,
      players,
      max_players: maxPlayers,
    }));
  return JSON.stringify({ servers, count: servers.length });
}

function listedServer(place: number, players = 0): ListedGameServer {
  return {
    ...aGameServer({ players, name: `n\u00e9 ${place}` }),
    id: `id-${place}`,
    registeredVersion: place,
  };
}

async function expectBytes(snapshot: Snapshot, listed: Iterable<ListedGameServer>): Promise<void> {
  const expected = renderFromScratch(listed);
  expect((await snapshot.encode('identity')).toString()).to.equal(expected);
  expect(gunzipSync(await snapshot.encode('gzip')).toString()).to.equal(expected);
}

describe('a snapshot', () => {
  it('has the bytes of a list rendered from scratch, plain and in gzip, after any sequence of changes', async function () {
    this.timeout(60_000);
    const change = fc.record({
      place: fc.integer({ min: 1, max: 400 }),
      players: fc.option(fc.integer({ min: 0, max: 9 })),
      burst: fc.integer({ min: 1, max: 150 }),
      look: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 50 }), async (changes) => {
        const builder = new SnapshotBuilder();
        const model = new Map<string, ListedGameServer>();
        for (const { place, players, burst, look } of changes) {
          for (let i = place; i < place + burst; i += 1) {
            const server = listedServer(i, players ?? 0);
            if (players === null) {
              builder.delete(server.id);
              model.delete(server.id);
            } else {
              builder.set(server);
              model.set(server.id, server);
            }
          }
          if (look) await expectBytes(builder.build('e', 1), model.values());
        }
        await expectBytes(builder.build('e', 1), model.values());
        expect(builder.count).to.equal(model.size);
      }),
      { numRuns: runs(50) },
    );
  });

  it('keeps its bytes whatever is changed after it was built, also when first asked for later', async () => {
    const builder = new SnapshotBuilder();
    const before = Array.from({ length: 300 }, (_, i) => listedServer(i + 1));
    for (const server of before) builder.set(server);
    const snapshot = builder.build('e', 1);
    for (const { id } of before.slice(0, 200)) builder.delete(id);
    builder.set(listedServer(250, 9));
    await builder.build('e', 2).encode('gzip');
    await expectBytes(snapshot, before);
    expect(snapshot.count).to.equal(300);
  });

  it('is hardly larger in gzip than if it were compressed as a whole', async () => {
    const builder = new SnapshotBuilder();
    for (let n = 0; n < 5000; n += 1) {
      builder.set({
        ...listedServer(n + 1, n % 32),
        id: createGameServerId(),
        ip: `203.0.${n >> 8}.${n % 256}`,
      });
    }
    const snapshot = builder.build('e', 1);
    const whole = gzipSync(await snapshot.encode('identity'));
    expect((await snapshot.encode('gzip')).length).to.be.below(1.2 * whole.length);
  });

  it('makes each encoding once', async () => {
    const builder = new SnapshotBuilder();
    builder.set(listedServer(1));
    const snapshot = builder.build('e', 1);
    for (const encoding of ['identity', 'gzip', 'br'] as const) {
      expect(snapshot.made(encoding)).to.equal(undefined);
      const [one, two] = await Promise.all([snapshot.encode(encoding), snapshot.encode(encoding)]);
      expect(one).to.equal(two);
      expect(snapshot.made(encoding)).to.equal(one);
    }
    expect(brotliDecompressSync(await snapshot.encode('br')).toString()).to.equal(
      renderFromScratch([listedServer(1)]),
    );
  });

  it('moves an entry that comes back with another place', async () => {
    const builder = new SnapshotBuilder();
    for (const place of [1, 2, 3]) builder.set(listedServer(place));
    const moved = { ...listedServer(1), registeredVersion: 9 };
    builder.set(moved);
    await expectBytes(builder.build('e', 1), [listedServer(2), listedServer(3), moved]);
  });
});
