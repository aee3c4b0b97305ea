import { expect } from 'chai';
import { ServiceError } from '../../../src/model/service-error.ts';
import { inGroups } from '../../support/in-groups.ts';
import { needs } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { useRoom } from './use-room.ts';

/** As doc/techinfo.txt and src/messages.c of dpmaster have it. */
describe('dpmaster: what clients get listed', () => {
  const room = useRoom();

  async function ports(request: string): Promise<readonly number[]> {
    const client = await room.player();
    return (await client.list(request)).map((address) => Number(address.split(':').at(-1)));
  }

  it('is the game servers of the game and the protocol', async () => {
    await room.open();
    const wanted = await room.listed();
    await room.listed({ gamename: 'Another' });
    await room.listed({ protocol: 4 });
    for (const request of ['getservers Testing 3', 'getservers  Testing  3 ', 'getserversExt Testing 0x3'])
      expect(await ports(request), request).to.deep.equal([wanted.port]);
  });

  it('is nothing while the registry fails, and the log has what is no outage of it', async () => {
    await room.open();
    const client = await room.player();
    const outage = new ServiceError('registry_unavailable');
    const failures = [outage, outage, new Error('a defect')];
    room.registry.list = async () => {
      throw failures.shift() ?? outage;
    };
    for (let left = failures.length - 1; left >= 0; left -= 1) {
      client.send('getservers Testing 3');
      await until(() => failures.length === left);
    }
    await until(() => room.logged.length > 0);
    expect(room.logged).to.deep.equal(['a packet of dpmaster failed']);
  });

  it('leaves out empty and full ones, unless the client wants them', async () => {
    await room.open();
    const [some, none, all] = [
      await room.listed(),
      await room.listed({ clients: 0 }),
      await room.listed({ clients: 8 }),
    ].map(({ port }) => port) as [number, number, number];
    expect(await ports('getservers Testing 3')).to.have.members([some]);
    expect(await ports('getservers Testing 3 empty')).to.have.members([some, none]);
    expect(await ports('getservers Testing 3 full')).to.have.members([some, all]);
    expect(await ports('getservers Testing 3 full empty')).to.have.members([some, none, all]);
  });

  it('has all servers of a game whose clients cannot ask for them', async () => {
    await room.open();
    const empty = await room.listed({ gamename: undefined, protocol: 84, clients: 0 }, 'EnemyTerritory-1');
    expect(await ports('getservers 84')).to.deep.equal([empty.port]);
  });

  it('has one gametype, if the client names it, which is 0 where a server says none', async () => {
    await room.open();
    const [plain, team, ca] = [
      await room.listed(),
      await room.listed({ gametype: 3 }),
      await room.listed({ gametype: 'ca' }),
    ].map(({ port }) => port) as [number, number, number];
    for (const option of ['ffa', 'gametype=0', 'ctf gametype=0'])
      expect(await ports(`getservers Testing 3 ${option}`), option).to.deep.equal([plain]);
    expect(await ports('getservers Testing 3 team')).to.deep.equal([team]);
    expect(await ports('getservers Testing 3 gametype=ca')).to.deep.equal([ca]);
    expect(await ports('getservers Testing 3 tourney')).to.deep.equal([]);
    expect(await ports('getservers Testing 3')).to.have.members([plain, team, ca]);
  });

  it('is told by the protocol, where the client names no game', async () => {
    await room.open();
    const known = await room.listed({ gamename: undefined, protocol: 68 }, 'QuakeArena-1');
    const guessed = await room.listed({ gamename: undefined, protocol: 71 }, 'QuakeArena-1');
    await room.listed({ protocol: 71 });
    await room.listed({ protocol: 68 });
    expect(await ports('getservers 68 empty full')).to.deep.equal([known.port]);
    expect(await ports('getservers 71 empty full')).to.deep.equal([guessed.port]);
    expect(await ports('getserversExt Quake3Arena 71')).to.deep.equal([guessed.port]);
    expect(await ports('getservers 99')).to.deep.equal([]);
  });

  it('is nothing at all for a request that names no game where it must, or no protocol', async () => {
    await room.open();
    const client = await room.player();
    for (const each of [
      'Testing',
      'Testing x',
      'Testing 3x',
      '',
      ' ',
      `${'x'.repeat(64)} 3`,
      '4294967296 full',
    ])
      client.send(`getservers ${each}`);
    for (const each of ['3', '3 empty full', '']) client.send(`getserversExt ${each}`);
    expect(await client.list('getservers Testing 3')).to.deep.equal([]);
    expect(room.outcomes.every((outcome) => outcome === 'invalid')).to.equal(true);
  });

  it('is nothing at all for a game that is not taken', async () => {
    await room.open({ dpmasterGames: ['!Testing'] });
    const client = await room.player();
    client.send('getservers Testing 3');
    expect(await client.list('getservers Another 3')).to.deep.equal([]);
    expect(room.outcomes).to.deep.equal(['refused']);
  });

  it('is spread over packets of 1,400 bytes at most, of which the last has the mark of the end', async () => {
    await room.open();
    const servers = await Promise.all(Array.from({ length: 400 }, () => room.player()));
    await inGroups(servers, (server) => server.heartbeat());
    await room.untilCounted('listed', servers.length);
    const client = await room.player();
    client.send('getservers Testing 3');
    const packets = [await client.next(), await client.next(), await client.next()];
    expect(packets.map(({ length }) => length + 4 <= 1400)).to.deep.equal([true, true, true]);
    expect(packets.map((packet) => packet.endsWith('\\EOT\0\0\0'))).to.deep.equal([false, false, true]);
    expect(await ports('getservers Testing 3')).to.have.members(servers.map(({ port }) => port));
  });

  it('is at most half a second old', async () => {
    await room.open();
    const first = await room.listed();
    expect(await ports('getservers Testing 3')).to.deep.equal([first.port]);
    const second = await room.listed();
    await room.renewLists();
    expect(await ports('getservers Testing 3')).to.have.members([first.port, second.port]);
  });

  needs('IPv6').it('has addresses of IPv6 for clients of the extended request alone', async () => {
    await room.open({ dpmasterHost: ['127.0.0.1,::1'] });
    const four = await room.listed();
    const six = await room.player('::1');
    await six.heartbeat();
    await room.untilCounted('listed', 2);
    const ofSix = `[${'0'.repeat(31)}1]:${six.port}`;
    const ofFour = `127.0.0.1:${four.port}`;
    const client = await room.player();
    expect(await client.list('getservers Testing 3 ipv6')).to.deep.equal([ofFour]);
    expect(await client.list('getserversExt Testing 3')).to.deep.equal([ofFour, ofSix]);
    expect(await client.list('getserversExt Testing 3 ipv4')).to.deep.equal([ofFour]);
    expect(await client.list('getserversExt Testing 3 ipv6')).to.deep.equal([ofSix]);
    expect(await client.list('getserversExt Testing 3 ipv6 ipv4')).to.deep.equal([ofFour, ofSix]);
    expect(await six.list('getserversExt Testing 3')).to.deep.equal([ofFour, ofSix]);
  });
});
