/** Who has an address of Teeworlds, as far as one replica knows. */

import { expect } from 'chai';
import { LinkOwners } from '../../../src/protocols/ddnet/link-owners.ts';
import type { ProtocolContext } from '../../../src/protocols/protocol.ts';
import { Details } from '../../../src/model/fields/details.ts';
import type { ListedGameServer } from '../../../src/model/game-server.ts';
import { anEntry } from '../../support/builders.ts';

const LINK = 'tw-0.6+udp://192.0.2.1:8303';

function entryWith(id: string, protocol: string, link = LINK): ListedGameServer {
  return anEntry({ id, details: Details.of({ protocol, links: [link] }) });
}

describe('the owners of addresses of Teeworlds', () => {
  let listed: readonly ListedGameServer[];
  let reads: number;
  let now: number;
  let isAway: boolean;
  let owners: LinkOwners;
  beforeEach(() => {
    [listed, reads, now, isAway] = [[], 0, 1_000_000, false];
    const entries = async (): Promise<readonly ListedGameServer[]> => {
      reads += 1;
      if (isAway) throw new Error('away');
      return listed;
    };
    owners = new LinkOwners({
      now: () => now,
      registry: { entries } as unknown as ProtocolContext['registry'],
    });
  });

  it('are those that are listed, and then those that were handed it here', async () => {
    listed = [entryWith('old', 'ddnet')];
    expect(await owners.hand(LINK, 'new')).to.equal('old');
    expect(await owners.hand(LINK, 'new')).to.equal(undefined);
    expect(await owners.hand(LINK, 'newer')).to.equal('new');
  });

  it('are of this protocol and of just this address', async () => {
    listed = [entryWith('a', 'luanti'), entryWith('b', 'ddnet', `${LINK}1`), anEntry({ id: 'c' })];
    expect(await owners.hand(LINK, 'new')).to.equal(undefined);
  });

  it('are read once in a second at most, also by many at once, and also where the clock was set back', async () => {
    await Promise.all(['a', 'b', 'c'].map((id) => owners.hand(`${LINK}${id}`, id)));
    now += 999;
    await owners.hand(LINK, 'a');
    expect(reads).to.equal(1);
    listed = [entryWith('elsewhere', 'ddnet')];
    now += 1;
    expect(await owners.hand(LINK, 'b')).to.equal('elsewhere');
    now -= 5000;
    await owners.hand(LINK, 'a');
    expect(reads).to.equal(3);
  });

  it('are read again after an attempt that failed', async () => {
    isAway = true;
    expect(await owners.hand(LINK, 'a').catch((error: Error) => error.message)).to.equal('away');
    isAway = false;
    expect(await owners.hand(LINK, 'a')).to.equal(undefined);
  });
});
