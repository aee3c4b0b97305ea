import { expect } from 'chai';
import { isPortClosed } from '../../../src/protocols/dpmaster/closed-port.ts';
import type { Peer } from '../../../src/protocols/dpmaster/game-server.ts';
import { parseIp } from '../../../src/model/net/ip.ts';
import { systemClock, type Clock } from '../../../src/registry/registry.ts';
import { UdpPlayer } from '../../support/dpmaster/udp-player.ts';
import { needs } from '../../support/needs.ts';

/** The system says at once, or nearly so where it is busy, that a port of this machine is closed. */
const hurried: Pick<Clock, 'every'> = { every: (_, task) => systemClock.every(100, task) };
const noEnd = new AbortController().signal;

const peer = ({ port }: UdpPlayer, address = '127.0.0.1'): Peer => ({ address: parseIp(address)!, port });

describe('dpmaster: the port of a game server that said farewell', () => {
  let server: UdpPlayer;
  beforeEach(async () => {
    server = await UdpPlayer.open(0);
  });
  afterEach(() => server.close());

  it('is closed if the machine says so', async () => {
    await server.close();
    expect(await isPortClosed(peer(server), hurried, noEnd)).to.equal(true);
  });

  it('is not if the game server is silent, who is asked twice', async () => {
    expect(await isPortClosed(peer(server), hurried, noEnd)).to.equal(false);
    expect([await server.next(), await server.next()]).to.deep.equal(['getinfo x', 'getinfo x']);
  });

  it('is not known where no packet can go', async () => {
    expect(await isPortClosed({ ...peer(server, '255.255.255.255') }, hurried, noEnd)).to.equal(false);
  });

  it('is not known when the look is given up, however long it would take', async () => {
    await server.close();
    const ending = new AbortController();
    const never: Pick<Clock, 'every'> = {
      every: () => {
        ending.abort();
        return () => undefined;
      },
    };
    expect(await isPortClosed(peer(server), never, ending.signal)).to.equal(false);
    expect(await isPortClosed(peer(server), never, ending.signal)).to.equal(false);
  });

  needs('IPv6').it('is closed at an address of IPv6, too', async () => {
    const there = await UdpPlayer.open(0, '::1');
    await there.close();
    expect(await isPortClosed(peer(there, '::1'), hurried, noEnd)).to.equal(true);
  });
});
