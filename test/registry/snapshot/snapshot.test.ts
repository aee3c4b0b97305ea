import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createGameServerId, type ListedGameServer } from '../../../src/model/game-server.ts';
import { Rope } from '../../../src/runtime/bytes/rope.ts';
import type { Snapshot } from '../../../src/registry/snapshot/snapshot.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../../support/builders.ts';
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
  return anEntry({ players, name: `n\u00e9 ${place}`, id: `id-${place}`, registeredVersion: place });
}

const at = (version: number): { epoch: string; history: string; version: number } => ({
  epoch: 'e',
  history: 'e',
  version,
});

function builderOf(count: number): SnapshotBuilder<ListedGameServer> {
  const builder = new SnapshotBuilder<ListedGameServer>();
  for (let place = 1; place <= count; place += 1) builder.set(listedServer(place));
  return builder;
}

function sumOfPlayers(listed: Iterable<ListedGameServer>): number {
  return [...listed].reduce((sum, { players }) => sum + players, 0);
}

async function expectBytes(snapshot: Snapshot, listed: Iterable<ListedGameServer>): Promise<void> {
  const expected = renderFromScratch(listed);
  expect((await snapshot.encode('identity')).toString() === expected, 'plain').to.equal(true);
  const gzip = (await snapshot.encode('gzip')).toBuffer();
  expect(gunzipSync(gzip).toString() === expected, 'gzip').to.equal(true);
}

describe('a snapshot', () => {
  it('has the bytes of a list rendered from scratch, plain and in gzip, whatever came before and comes after', async function () {
    this.timeout(120_000);
    const change = fc.record({
      place: fc.integer({ min: 1, max: 4000 }),
      players: fc.option(fc.integer({ min: 0, max: 1000 })),
      // Often one or few, as in life; at times as many as make or empty several chunks.
      burst: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3000 })),
      // Every so many of the burst.
      step: fc.integer({ min: 1, max: 200 }),
      look: fc.constantFrom('now', 'late', 'never'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const builder = new SnapshotBuilder<ListedGameServer>();
        const model = new Map<string, ListedGameServer>();
        const held: { snapshot: Snapshot; listed: ListedGameServer[] }[] = [];
        for (const { place, players, burst, step, look } of changes) {
          for (let i = place; i < place + burst; i += step) {
            const server = listedServer(i, players ?? 0);
            if (players === null) {
              builder.delete(server.id, 1);
              model.delete(server.id);
            } else {
              builder.set(server);
              model.set(server.id, server);
            }
          }
          if (look === 'never') continue;
          const snapshot = builder.build(at(1));
          expect(snapshot.players).to.equal(sumOfPlayers(model.values()));
          if (look === 'now') await expectBytes(snapshot, model.values());
          held.push({ snapshot, listed: [...model.values()] });
        }
        await expectBytes(builder.build(at(1)), model.values());
        expect(builder.count).to.equal(model.size);
        expect([...builder.all()]).to.have.deep.members([...model.values()]);
        for (const { snapshot, listed } of held) await expectBytes(snapshot, listed);
      }),
      { numRuns: runs(12) },
    );
  });

  it('keeps its bytes whatever is changed after it was built, also when first asked for later', async () => {
    const before = Array.from({ length: 3000 }, (_, i) => listedServer(i + 1));
    const builder = builderOf(3000);
    const snapshot = builder.build(at(1));
    for (const { id } of before.slice(0, 2000)) builder.delete(id, 1);
    builder.set(listedServer(2500, 9));
    await builder.build(at(2)).encode('gzip');
    await expectBytes(snapshot, before);
    expect(snapshot.count).to.equal(3000);
  });

  it('shares all chunks with the one before, but those that changed', async () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    const listed = Array.from({ length: 40_000 }, (_, i) => ({
      ...listedServer(i + 1),
      id: createGameServerId(),
      name: createGameServerId(),
    }));
    for (const server of listed) builder.set(server);
    const before = builder.build(at(1));
    builder.set({ ...listed[10_000]!, players: 9 });
    builder.delete(listed[15_000]!.id, 1);
    const after = builder.build(at(2));
    for (const encoding of ['identity', 'gzip'] as const) {
      const shared = new Set((await before.encode(encoding)).parts);
      const chunks = (await after.encode(encoding)).parts.filter(({ length }) => length > 1000);
      expect(chunks.length, encoding).to.be.above(20);
      expect(chunks.filter((part) => !shared.has(part)).length, encoding).to.equal(2);
    }
  });

  it('is hardly larger in gzip than if it were compressed as a whole', async () => {
    const builder = new SnapshotBuilder<ListedGameServer>();
    for (let n = 0; n < 5000; n += 1) {
      builder.set({
        ...listedServer(n + 1, n % 32),
        id: createGameServerId(),
        ip: `203.0.${n >> 8}.${n % 256}`,
      });
    }
    const snapshot = builder.build(at(1));
    const whole = gzipSync((await snapshot.encode('identity')).toBuffer());
    expect((await snapshot.encode('gzip')).length).to.be.below(1.2 * whole.length);
  });

  for (const count of [1, 10_000])
    it(`makes each encoding of ${count} game servers once`, async () => {
      const snapshot = builderOf(count).build(at(1));
      for (const encoding of ['identity', 'gzip', 'br'] as const) {
        expect(snapshot.made(encoding)).to.equal(undefined);
        const [one, two] = await Promise.all([snapshot.encode(encoding), snapshot.encode(encoding)]);
        expect(one).to.equal(two);
        expect(snapshot.made(encoding)).to.equal(one);
      }
      const br = (await snapshot.encode('br')).toBuffer();
      expect(brotliDecompressSync(br).equals((await snapshot.encode('identity')).toBuffer())).to.equal(true);
    });

  it('moves an entry that comes back with another place', async () => {
    const builder = builderOf(3);
    const moved = { ...listedServer(1), registeredVersion: 9 };
    builder.set(moved);
    await expectBytes(builder.build(at(1)), [listedServer(2), listedServer(3), moved]);
  });
});

describe('a rope', () => {
  it('is cut into pieces of any length, whatever its parts are', function () {
    this.timeout(120_000);
    const lengths = fc.array(fc.integer({ min: 0, max: 900_000 }), { maxLength: 4 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 100_000, max: 2_000_000 }), (parts, pieceBytes) => {
        const rope = new Rope(parts.map((length, index) => Buffer.alloc(length, index + 1)));
        const pieces = [...rope.pieces(pieceBytes)];
        const bytes = pieces.map(({ buffers }) => Buffer.concat(buffers));
        expect(Buffer.concat(bytes).equals(rope.toBuffer())).to.equal(true);
        let end = 0;
        for (const [index, { isLast, wholeParts }] of pieces.entries()) {
          end += bytes[index]!.length;
          expect(isLast).to.equal(end === rope.length);
          if (!isLast) expect(bytes[index]!.length).to.equal(pieceBytes);
          const ends = rope.parts.map((_, i) => Buffer.concat(rope.parts.slice(0, i + 1)).length);
          expect(ends[wholeParts - 1] ?? 0).to.be.at.most(end);
          expect(ends[wholeParts] ?? Infinity).to.be.at.least(end);
        }
      }),
      { numRuns: runs(10) },
    );
  });

  it('is one part when it is short', () => {
    expect(new Rope([Buffer.from('a'), Buffer.from('b')]).parts.map(String)).to.deep.equal(['ab']);
    expect(new Rope([]).length).to.equal(0);
  });
});
