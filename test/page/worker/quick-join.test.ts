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
function arrivals(
  servers: readonly ListedServer[],
  count: number,
  regions: readonly string[] = [],
): Map<string, number> {
  const sent = new Map<string, number>();
  for (let n = 0; n < count; n += 1) {
    const { id } = pickServer(servers, regions, (n + 0.5) / count)!;
    sent.set(id, (sent.get(id) ?? 0) + 1);
  }
  return sent;
}

/** Those whom the evenly spread luck of many meets. */
function pickedOf(servers: readonly ListedServer[], regions: readonly string[] = []): readonly string[] {
  return [...arrivals(servers, 1000, regions).keys()].toSorted();
}

/** Servers with so many players. */
function having(...all: readonly number[]): readonly ListedServer[] {
  return all.map((players, n) => server(`${n}`, players, 60));
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
    expect(pickedOf([server('empty', 0, 100), server('busy', 14, 16)])).to.deep.equal(['busy']);
    expect(pickedOf([server('empty', 0, 100), server('full', 16, 16)])).to.deep.equal(['empty']);
  });

  it('sends nobody to the last place of a server, where another server has more', () => {
    const last = server('last', 15, 16, { region: 'eu' });
    expect(pickedOf([last, server('far', 2, 16), server('empty', 0, 2)], ['eu'])).to.deep.equal(['far']);
    expect(pickedOf([last, server('full', 16, 16)])).to.deep.equal(['last']);
  });

  it('prefers the regions of the person to players, where a server of them can be joined', () => {
    const servers = [
      server('far', 14, 16, { region: 'na' }),
      server('nowhere', 14, 16),
      server('near', 1, 16, { region: 'eu' }),
      server('empty', 0, 16, { region: 'eu' }),
    ];
    expect(pickedOf(servers, ['sa', 'eu'])).to.deep.equal(['near']);
    expect(pickedOf(servers, ['sa'])).to.deep.equal(['far', 'near', 'nowhere']);
  });

  it('sends those who come at one moment to the servers in proportion to their free places', () => {
    const servers = [server('a', 90, 100), server('b', 5, 35), server('c', 60, 64), server('d', 64, 64)];
    expect(Object.fromEntries(arrivals(servers, 44))).to.deep.equal({ a: 10, b: 30, c: 4 });
    expect(Object.fromEntries(arrivals(servers, 4400))).to.deep.equal({ a: 1000, b: 3000, c: 400 });
  });

  it('picks one of the five with the most players, and up to ten that have half the players of the best', () => {
    expect(pickedOf(having(1, 40, 3, 5, 2, 4, 6))).to.deep.equal(['1', '3', '5', '6', '2'].toSorted());
    expect(pickedOf(having(40, 39, 38, 37, 36, 20, 19))).to.deep.equal(['0', '1', '2', '3', '4', '5']);
    expect(pickedOf(having(...Array.from({ length: 30 }, () => 40)))).to.have.length(10);
  });
});
