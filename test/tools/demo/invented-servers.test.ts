/** What invented game servers say of themselves, and how it changes. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseBroadcast } from '../../../src/api/writes/validation.ts';
import { parseIp } from '../../../src/model/net/ip.ts';
import { parseNetworks } from '../../../src/model/net/networks.ts';
import { inventServers } from '../../../src/tools/demo/invent-servers.ts';
import type { Fields, InventedServer } from '../../../src/tools/demo/invented-server.ts';
import { createRandom } from '../../../src/tools/demo/random.ts';
import { runs } from '../../support/runs.ts';

const NOW = Date.UTC(2026, 0, 1);
/** The smallest that --max-body can be. */
const SMALLEST_BODY_BYTES = 1024;
const DOCUMENTATION = parseNetworks('192.0.2.0/24,198.51.100.0/24,203.0.113.0/24,2001:db8::/32');

function invent(seed: number, count = 100): readonly InventedServer[] {
  return inventServers({ count, now: NOW, random: createRandom(seed) });
}

function fieldsOf(seed: number, count?: number): readonly Fields[] {
  return invent(seed, count).map(({ fields }) => fields);
}

/** After ten minutes. */
function livedFieldsOf(seed: number): readonly Fields[] {
  return invent(seed).map((server) => {
    server.live(NOW + 600_000);
    return server.fields;
  });
}

describe('invented game servers', () => {
  it('are accepted by the service, whichever they are, and by one that takes the smallest bodies', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        for (const fields of fieldsOf(seed)) {
          expect(parseBroadcast(fields).gameServer).to.include({ name: fields.server_name });
          expect(Buffer.byteLength(JSON.stringify(fields))).to.be.below(SMALLEST_BODY_BYTES - 64);
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('have addresses and hosts that are kept for documentation, no two the same, however many there are', () => {
    for (const count of [100, 10_000]) {
      const all = fieldsOf(7, count);
      expect(all).to.have.length(count);
      expect(new Set(all.map(({ server_ip: ip, server_port: port }) => `${ip} ${port}`)).size).to.equal(
        count,
      );
      expect(new Set(all.map((each) => `${each.server_host} ${each.server_port}`)).size).to.equal(count);
      for (const { server_ip: ip, server_host: host, addresses = [] } of all) {
        for (const each of [ip, ...addresses.map((address) => address.ip)])
          expect([parseIp(each), DOCUMENTATION.has(each)]).to.deep.equal([each, true]);
        expect(host).to.match(/^[a-z]{3}\d+\.[a-z]+\.example\.(com|net)$/);
      }
    }
  });

  it('are as different as those of a real list', () => {
    const all = fieldsOf(1);
    const kinds = (of: (fields: Fields) => unknown): number => new Set(all.map(of)).size;
    expect(new Set(all.map(({ region }) => region))).to.have.all.keys('eu', 'na', 'sa', 'as', 'oc');
    expect(kinds(({ mode }) => mode)).to.be.above(4);
    expect(kinds(({ map }) => map)).to.be.above(10);
    expect(kinds(({ version }) => version)).to.be.above(2);
    expect(kinds((each) => each.max_players)).to.be.above(5);
    expect(kinds(({ server_name: name }) => name)).to.be.above(95);
    for (const is of [
      (each: Fields) => each.players === each.max_players,
      ({ players }: Fields) => players === 0,
      ({ password }: Fields) => password,
      ({ server_name: name }: Fields) => /[^\p{Script=Latin}\p{Script=Common}]/u.test(name),
    ])
      expect(all.filter(is)).to.have.length.within(2, 40);
  });

  it('are the same for the same source of chance, and so is what becomes of them', () => {
    expect(livedFieldsOf(3)).to.deep.equal(livedFieldsOf(3)).and.to.not.deep.equal(livedFieldsOf(4));
  });

  it('never have fewer players than none or more than places, whatever time passes', () => {
    const pauses = fc.array(fc.integer({ min: -3_600_000, max: 90_000_000 }), { maxLength: 20 });
    fc.assert(
      fc.property(fc.integer(), pauses, (seed, steps) => {
        for (const server of invent(seed, 5)) {
          let now = NOW;
          for (const step of steps) {
            now += step;
            if (server.mustRestart(now)) server.restart(now);
            server.live(now);
            const { players, max_players: places } = server.fields;
            expect(players).to.be.within(0, places);
            expect(Number.isInteger(players)).to.equal(true);
          }
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it('gain and lose few players at a time, and play their maps one after the other', () => {
    for (const server of invent(5)) {
      const maps = new Set<string>();
      let { players } = server.fields;
      for (let now = NOW; now < NOW + 3_600_000; now += 20_000) {
        server.live(now);
        const { fields } = server;
        maps.add(fields.map);
        expect(Math.abs(fields.players - players)).to.be.most(2 + Math.ceil(fields.max_players / 10));
        players = fields.players;
      }
      expect(maps.size).to.be.within(1, 6);
    }
  });
});
