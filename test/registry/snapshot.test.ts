import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListedGameServer } from '../../src/registry/game-server.ts';
import { SnapshotBuilder } from '../../src/registry/snapshot.ts';
import { aGameServer } from '../support/builders.ts';

/** The list as the specification has it, rendered from scratch. */
function renderFromScratch(listed: Iterable<ListedGameServer>): string {
  const servers = [...listed]
    .toSorted((a, b) => a.registeredAt - b.registeredAt)
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
  return { ...aGameServer({ players, name: `n\u00e9 ${place}` }), id: `id-${place}`, registeredAt: place };
}

describe('a snapshot', () => {
  it('has the same bytes as a list rendered from scratch, after any sequence of changes', () => {
    const change = fc.record({
      place: fc.integer({ min: 1, max: 400 }),
      players: fc.option(fc.integer({ min: 0, max: 9 })),
      burst: fc.integer({ min: 1, max: 150 }),
      look: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
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
          if (look) expect(builder.build('e', 1).json.toString()).to.equal(renderFromScratch(model.values()));
        }
        expect(builder.build('e', 1).json.toString()).to.equal(renderFromScratch(model.values()));
        expect(builder.count).to.equal(model.size);
      }),
      { numRuns: 200 },
    );
  });

  it('keeps its bytes whatever is changed after it was built, also when first asked for later', () => {
    const builder = new SnapshotBuilder();
    const before = Array.from({ length: 300 }, (_, i) => listedServer(i + 1));
    for (const server of before) builder.set(server);
    const snapshot = builder.build('e', 1);
    for (const { id } of before.slice(0, 200)) builder.delete(id);
    builder.set(listedServer(250, 9));
    builder.build('e', 2).json.toString();
    expect(snapshot.json.toString()).to.equal(renderFromScratch(before));
    expect(snapshot.count).to.equal(300);
  });

  it('moves an entry that comes back with another place', () => {
    const builder = new SnapshotBuilder();
    for (const place of [1, 2, 3]) builder.set(listedServer(place));
    builder.set({ ...listedServer(1), registeredAt: 9 });
    const { servers } = JSON.parse(builder.build('e', 1).json.toString()) as { servers: { id: string }[] };
    expect(servers.map(({ id }) => id)).to.deep.equal(['id-2', 'id-3', 'id-1']);
  });
});
