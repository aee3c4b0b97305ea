import { expect } from 'chai';
import * as fc from 'fast-check';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';
import { pickServer } from '../../../src/page/worker/quick-join.ts';
import { runs } from '../../support/runs.ts';
import { aServer } from './support/page-servers.ts';

const server = (
  id: string,
  players: number,
  places: number,
  more: Partial<ListedServer> = {},
): ListedServer => aServer(id, { players, max_players: places, ...more });

const someServers = fc
  .array(
    fc.record({
      players: fc.nat({ max: 40 }),
      max_players: fc.nat({ max: 40 }),
      password: fc.constantFrom(true, false, undefined),
    }),
    { maxLength: 60 },
  )
  .map((all) => all.map(({ password, ...each }, n) => aServer(`${n}`, { ...each, ...(password !== undefined && { password }) }))); // prettier-ignore
const someLuck = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** How many of so many who come at one moment are sent to each server. Their luck is spread evenly. */
function arrivals(servers: readonly ListedServer[], count: number): Map<string, number> {
  const sent = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    const { id } = pickServer(servers, [], (n + 0.5) / count)!;
    sent.set(id, (sent.get(id) ?? 0) + 1);
  }
  return sent;
}

describe('quick join', () => {
  it('picks a server with a free place and without a password, if there is one', () => {
    fc.assert(
      fc.property(someServers, someLuck, (servers, luck) => {
        const joinable = servers.filter((each) => each.players < each.max_players && each.password !== true);
        const picked = pickServer(servers, [], luck);
        if (joinable.length === 0) expect(picked).to.equal(undefined);
        else expect(joinable).to.include(picked);
      }),
      { numRuns: runs(100) },
    );
  });

  it('prefers a server with players to an empty one, whatever its room', () => {
    const servers = [server('empty', 0, 100), server('busy', 15, 16)];
    for (const luck of [0, 0.5, 0.999]) expect(pickServer(servers, [], luck)?.id).to.equal('busy');
    expect(pickServer([server('empty', 0, 100), server('full', 16, 16)], [], 0.5)?.id).to.equal('empty');
  });

  it('prefers the regions of the person to players, where a server of them can be joined', () => {
    const servers = [
      server('far', 15, 16, { region: 'na' }),
      server('nowhere', 15, 16),
      server('near', 1, 16, { region: 'eu' }),
      server('empty', 0, 16, { region: 'eu' }),
    ];
    for (const luck of [0, 0.5, 0.999]) {
      expect(pickServer(servers, ['sa', 'eu'], luck)?.id).to.equal('near');
      expect(pickServer(servers, ['sa'], luck)?.id).to.be.oneOf(['far', 'nowhere', 'near']);
    }
  });

  it('sends those who come at one moment to the servers in proportion to their free places', () => {
    const servers = [server('a', 90, 100), server('b', 5, 35), server('c', 60, 64), server('d', 64, 64)];
    expect(Object.fromEntries(arrivals(servers, 44))).to.deep.equal({ a: 10, b: 30, c: 4 });
    expect(Object.fromEntries(arrivals(servers, 4400))).to.deep.equal({ a: 1000, b: 3000, c: 400 });
  });

  it('overfills no server with a thousand who come at one moment, where there is room for them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 64 }), { minLength: 40, maxLength: 200 }), (all) => {
        const servers = all.map((players, n) => server(`${n}`, players, 96));
        for (const [id, count] of arrivals(servers, 1000)) expect(count).to.be.at.most(96 - all[Number(id)]!);
      }),
      { numRuns: runs(4) },
    );
  });

  it('sends them to the servers with the most players that have room for them', () => {
    const servers = Array.from({ length: 100 }, (_, n) => server(`${n}`, n, 100));
    const sent = arrivals(servers, 1000);
    // 1 + 2 + … + 45 free places.
    expect([...sent.keys()].map(Number).toSorted((a, b) => a - b)).to.deep.equal(
      Array.from({ length: 45 }, (_, n) => 55 + n),
    );
  });
});
