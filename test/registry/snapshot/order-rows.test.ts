import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { orderRows } from '../../../src/registry/snapshot/order-rows.ts';
import { PLAIN, type Appearance } from '../../../src/registry/snapshot/row.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../../support/builders.ts';
import { runs } from '../../support/runs.ts';

const AT = { epoch: 'e', history: 'h', version: 1e6 };

function rowAt(place: number, players = 0): ListedGameServer {
  return anEntry({ id: `id-${place}`, registeredVersion: place, players });
}

/** So many rows, none of which is beside the one that is before it in the list. */
function scattered(count: number): ListedGameServer[] {
  return Array.from({ length: count }, (_, i) => rowAt(1 + ((i * 7919) % count)));
}

const appearance = (): Appearance => ({ ...PLAIN, isShown: ({ players }) => players !== 7 });

describe('rows that come in any order', () => {
  it('make chunks of 256 to 512 in the order of the list, each row once', async () => {
    for (const count of [0, 1, 300, 512, 513, 5000]) {
      const chunks = await orderRows(scattered(count));
      const places = chunks.flatMap(({ rows }) => rows.map(({ registeredVersion }) => registeredVersion));
      expect(places).to.deep.equal(Array.from({ length: count }, (_, i) => i + 1));
      expect(chunks.map(({ isFirst }) => isFirst)).to.deep.equal(chunks.map((_, i) => i === 0));
      if (count > 512) for (const { rows } of chunks) expect(rows.length).to.be.within(256, 512);
    }
  });

  it('are in order of their ids where they have one version', async () => {
    const rows = scattered(1000).map((row) => ({ ...row, registeredVersion: 1 }));
    const chunks = await orderRows(rows);
    expect(chunks.flatMap((chunk) => chunk.rows.map(({ id }) => id))).to.deep.equal(
      rows.map(({ id }) => id).toSorted(),
    );
  });

  it('make the list that they make one by one, with all that follows', async () => {
    const change = fc.record({
      place: fc.integer({ min: 1, max: 1200 }),
      players: fc.option(fc.integer({ min: 0, max: 99 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 1500 }),
        fc.array(change, { maxLength: 20 }),
        async (first, later) => {
          const builders = [
            new SnapshotBuilder<ListedGameServer>(appearance),
            new SnapshotBuilder<ListedGameServer>(appearance),
          ] as const;
          builders[1].gather();
          let version = 0;
          const make = ({ place, players }: (typeof first)[number]): void => {
            version += 1;
            const [before, itsBefore] = builders.map((builder) =>
              players === null
                ? builder.delete(`id-${place}`, version)
                : builder.set({ ...rowAt(place, players), version }),
            );
            expect(itsBefore?.version).to.equal(before?.version);
          };
          for (const each of first) make(each);
          await builders[1].order();
          for (const changes of [[], later]) {
            for (const each of changes) make(each);
            const [snapshot, its] = builders.map((builder) => builder.build(AT));
            expect(its!.players).to.equal(snapshot!.players);
            const [text, itsText] = [await snapshot!.encode('identity'), await its!.encode('identity')];
            expect(itsText.toString()).to.equal(text.toString());
          }
          expect(builders[1].count).to.equal(builders[0].count);
        },
      ),
      { numRuns: runs(30) },
    );
  });
});
