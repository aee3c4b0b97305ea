/** The way by columns, which works out only what counts, finds what one finds who works out everything. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { createNearest } from '../../../src/api/find/nearest.ts';
import { select } from '../../../src/api/find/select.ts';
import { finish } from '../../../src/api/work/work.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { parseIp, type IpAddress } from '../../../src/model/net/ip.ts';
import { BeaconMap } from '../../../src/model/near.ts';
import type { Chunk } from '../../../src/registry/snapshot/chunk.ts';
import { SnapshotBuilder } from '../../../src/registry/snapshot/snapshot-builder.ts';
import { anEntry } from '../../support/builders.ts';
import { createRandom } from '../../support/fuzz-requests.ts';
import { runs } from '../../support/runs.ts';

const IDS = ['a', 'b', 'c', 'd'];
const COUNTRIES = ['DE', 'FR', 'US', 'JP', undefined];
const beacons = new BeaconMap(IDS.map((id) => ({ id, url: 'https://a.example.com/', latency: { a: 60 } })));

/** Several chunks of game servers, some of which say nothing of beacons, or of some alone, or lie. */
function chunksOf(seed: number, count: number): readonly Chunk[] {
  const random = createRandom(seed);
  const builder = new SnapshotBuilder<ListedGameServer>();
  for (let n = 0; n < count; n += 1) {
    const known = IDS.filter(() => random() < 0.7);
    const latency = Object.fromEntries(known.map((id) => [id, Math.floor(200 * random())]));
    const country = COUNTRIES[n % COUNTRIES.length];
    const details = Details.of({ latency, ...(country && { country }) });
    builder.set(anEntry({ id: `id-${n}`, registeredVersion: n + 1, players: n % 7, details }));
  }
  return builder.build({ epoch: 'e', history: 'h', version: count }).chunks;
}

const [GERMAN, OTHER] = ['192.0.2.1', '192.0.2.2'].map((ip) => parseIp(ip)!) as [IpAddress, IpAddress];
const READER = { address: GERMAN };

const readNear = createNearest({
  cursorMark: '',
  beacons,
  countryOf: (ip) => (ip === GERMAN ? 'DE' : undefined),
});

const reader = fc
  .uniqueArray(fc.constantFrom(...IDS), { minLength: 1 })
  .chain((ids) =>
    fc
      .array(fc.nat(40), { minLength: ids.length, maxLength: ids.length })
      .map((steps) => `near=${ids.map((id, at) => `${id}:${5 * steps[at]!}`).join(',')}&`),
  );
const order = fc.constantFrom('near', '-near', 'near,-players', '-players,near', 'players');
const filter = fc.constantFrom('', '&near=..90', '&near=40..120', '&near!=..90', '&players=3..&near=..150');

describe('the nearest by columns', () => {
  it('are those by all entries, on every page, whatever else is asked', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        reader,
        order,
        filter,
        fc.integer({ min: 1, max: 60 }),
        (seed, near, by, more, limit) => {
          const chunks = chunksOf(seed, 2500);
          expect(chunks).to.have.lengthOf.above(1);
          const { page, nearMsOf } = readNear(`${near}sort=${by}${more}`, READER)!;
          const all = chunks
            .flatMap(({ rows }) => rows)
            .filter(page.filters.matches)
            .toSorted(page.order.compare);
          if (by === 'near')
            expect(all.map(nearMsOf)).to.deep.equal(
              all.map(nearMsOf).toSorted((a, b) => (a ?? Infinity) - (b ?? Infinity)),
            );
          let after: ListedGameServer | undefined;
          for (let from = 0; from < Math.min(3 * limit, all.length); from += limit) {
            const place = after && page.order.placeOf(after);
            // Each page is a query of its own, as over HTTP.
            const asked = readNear(`${near}sort=${by}${more}`, READER)!.page;
            const found = finish(select(chunks, asked.filters, asked.order, limit, place));
            expect(found.rows.map(({ id }) => id)).to.deep.equal(
              all.slice(from, from + limit).map(({ id }) => id),
            );
            expect(found.total).to.equal(all.length);
            after = found.rows.at(-1);
          }
        },
      ),
      { numRuns: runs(15) },
    );
  });

  it('begin with the country of the reader and its continent where there are no beacons', () => {
    const chunks = chunksOf(1, 1500);
    const { page } = readNear('sort=near,-players', READER)!;
    const { rows } = finish(select(chunks, page.filters, page.order, 1500));
    const ranks = rows.map(({ details }) => ({ DE: 0, FR: 1 })[details.fields.country ?? ''] ?? 2);
    expect(ranks).to.deep.equal(ranks.toSorted((a, b) => a - b));
    expect(rows.slice(0, 300).every(({ details }) => details.fields.country === 'DE')).to.equal(true);
    expect(rows[0]!.players).to.equal(6);
  });

  it('keep their order for a reader of whom no country is known, or whose address is that of a proxy', () => {
    const chunks = chunksOf(1, 1500);
    for (const client of [{ address: OTHER }, { ...READER, doubt: 'untrusted_proxy' } as const]) {
      const { page } = readNear('sort=near', client)!;
      const { rows } = finish(select(chunks, page.filters, page.order, 3));
      expect(rows.map(({ id }) => id)).to.deep.equal(['id-0', 'id-1', 'id-2']);
    }
  });
});
