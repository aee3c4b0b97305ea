import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { useRoom } from './use-room.ts';

describe('dpmaster: the listing of a game server', () => {
  const room = useRoom();

  it('asks a heartbeat with a challenge of letters that mean nothing to a game, and no longer than needed', async () => {
    await room.open();
    const server = await room.player();
    server.send('heartbeat DarkPlaces\n');
    expect(await server.next()).to.match(/^getinfo [\w-]{19}$/);
  });

  it('lists what answers the challenge, cleaned for lists, and keeps the infostring as it is', async () => {
    await room.open();
    const server = await room.listed({
      hostname: '^1Red\x02 ^xF00Dawn',
      mapname: 'q3dm17',
      gametype: 4,
      g_needpass: 1,
    });
    const [row] = await room.rows();
    expect(row).to.include({
      name: 'Red Dawn',
      ip: '127.0.0.1',
      port: server.port,
      players: 2,
      maxPlayers: 8,
    });
    expect(row!.isClaimed).to.equal(true);
    expect(row!.details.fields).to.deep.include({
      protocol: 'dpmaster',
      game: 'Testing',
      map: 'q3dm17',
      mode: 'ctf',
      password: true,
      meta: { protocol: 3 },
      kept: { game: 'Testing', gametype: '4', isAnonymous: false, protocol: 3 },
    });
    expect(room.registry.nativeEntries.documentOf(row!)).to.equal(
      '\\gamename\\Testing\\protocol\\3\\clients\\2\\sv_maxclients\\8\\hostname\\^1Red\x02 ^xF00Dawn\\mapname\\q3dm17\\gametype\\4\\g_needpass\\1',
    );
  });

  it('reads names in UTF-8 and in Latin-1', async () => {
    await room.open();
    await room.listed({ hostname: Buffer.from('Zürich ★').toString('latin1') });
    await room.listed({ hostname: 'Z\xfcrich' });
    expect((await room.rows()).map(({ name }) => name)).to.have.members(['Zürich ★', 'Zürich']);
  });

  it('lists one without a name by its address', async () => {
    await room.open();
    const server = await room.listed({ hostname: '^1^2' });
    expect((await room.rows())[0]!.name).to.equal(`127.0.0.1:${server.port}`);
  });

  it('shows no game that has nothing but colours and controls, and lists it for those that ask for it', async () => {
    await room.open();
    for (const gamename of ['^1^2', '\x01\x02', '^xF00\x7f']) await room.listed({ gamename });
    for (const { details } of await room.rows()) {
      expect(details.fields).to.not.have.property('game');
      expect(details.fields.kept).to.have.property('game');
    }
  });

  it('changes nothing visible when a game server says the same again', async () => {
    await room.open();
    const server = await room.listed();
    const before = await room.rows();
    await server.heartbeat();
    await room.untilCounted('refreshed');
    expect(await room.rows()).to.deep.equal(before);
  });

  describe('refuses an answer', () => {
    const WRONG: Readonly<Record<string, Parameters<typeof room.listed>[0]>> = {
      'without a game': { gamename: undefined },
      'with an empty game': { gamename: '' },
      'with a space in its game': { gamename: 'Two Words' },
      'with a game too long': { gamename: 'x'.repeat(64) },
      'without a protocol': { protocol: undefined },
      'with a protocol that is no number': { protocol: '4TheFun' },
      'without players': { clients: undefined },
      'without places': { sv_maxclients: 0 },
      'with a space in its gametype': { gametype: 'a b' },
      'with a value too long to be said': { clients: '1'.repeat(256) },
    };
    for (const [title, info] of Object.entries(WRONG))
      it(title, async () => {
        await room.open();
        const server = await room.player();
        await server.heartbeat(info);
        await room.untilCounted('invalid');
        expect(await room.rows()).to.have.length(0);
      });

    it('with the challenge of another port, or one of its own', async () => {
      await room.open();
      const [server, other] = [await room.player(), await room.player()];
      server.send('heartbeat DarkPlaces\n');
      const challenge = (await server.challenge())!;
      other.infoResponse(challenge);
      server.infoResponse(challenge.slice(0, -1) + (challenge.endsWith('A') ? 'B' : 'A'));
      server.infoResponse('');
      await room.untilCounted('invalid', 3);
      expect(await room.rows()).to.have.length(0);
      server.infoResponse(challenge);
      await room.untilCounted('listed');
    });

    it('that comes later than two seconds', async () => {
      await room.open();
      const server = await room.player();
      server.send('heartbeat DarkPlaces\n');
      const challenge = (await server.challenge())!;
      room.clock.jump(3000);
      server.infoResponse(challenge);
      await room.untilCounted('invalid');
      expect(await room.rows()).to.have.length(0);
    });
  });

  it('knows the game of an old heartbeat, whose servers do not name it', async () => {
    await room.open();
    await room.listed({ gamename: undefined }, 'QuakeArena-1');
    const wrong = await room.player();
    await wrong.heartbeat({ gamename: 'Another' }, 'QuakeArena-1');
    await room.untilCounted('invalid');
    expect((await room.rows()).map(({ details }) => details.fields.game)).to.deep.equal(['Quake3Arena']);
  });

  it('does not answer a heartbeat that it does not know', async () => {
    await room.open();
    const server = await room.player();
    for (const each of ['heartbeat Warsow\n', 'heartbeat \n', 'heartbeat\n', 'statusResponse\n'])
      server.send(each);
    expect(await server.list('getservers Testing 3')).to.deep.equal([]);
    expect(room.outcomes.filter((outcome) => outcome === 'invalid')).to.have.length(4);
  });

  it('takes the heartbeats of games that the operator describes', async () => {
    await room.open({ dpmasterProperties: ['Warsow heartbeat=Warsow; Other heartbeat=Other-1'] });
    await room.listed({ gamename: 'Warsow' }, 'Warsow');
    expect((await room.rows()).map(({ details }) => details.fields.game)).to.deep.equal(['Warsow']);
  });

  it('takes the games of the operator alone, or all but some', async () => {
    await room.open({ dpmasterGames: ['Testing,et'] });
    const server = await room.listed();
    await server.heartbeat({ gamename: 'Another' });
    await room.untilCounted('invalid');
    server.send('heartbeat QuakeArena-1\n');
    expect(await server.list('getservers Testing 3')).to.have.length(1);
    expect(room.outcomes.at(-1)).to.equal('refused');
  });

  it('asks no more strangers of an address than may be listed', async () => {
    await room.open({ maxServersPerAddress: ['2'] });
    const servers = [await room.player(), await room.player(), await room.player()];
    for (const server of servers) server.send('heartbeat DarkPlaces\n');
    expect(await servers[2]!.list('getservers Testing 3')).to.deep.equal([]);
    servers[0]!.infoResponse((await servers[0]!.challenge())!);
    await room.untilCounted('listed');
  });

  it('asks one address no more often than six times before it had two seconds to answer', async () => {
    await room.open();
    const server = await room.player();
    for (let i = 0; i < 20; i += 1) server.send('heartbeat DarkPlaces\n');
    await room.untilCounted('limited', 14);
    expect(room.outcomes.filter((outcome) => outcome === 'challenged')).to.have.length(6);
    await room.clock.advance(2500);
    server.send('heartbeat DarkPlaces\n');
    await room.untilCounted('challenged', 7);
  });

  describe('takes a game server off the list', () => {
    it('that says farewell by two heartbeats, and whose port is closed', async () => {
      await room.open();
      const [server, staying] = [await room.listed(), await room.listed()];
      server.send('heartbeat DarkPlaces\n');
      server.send('heartbeat DarkPlaces\n');
      await room.untilCounted('challenged', 4);
      await server.close();
      await room.clock.advance(2000);
      expect(await room.rows()).to.have.length(2);
      await room.untilExamined();
      await room.untilCounted('left');
      expect((await room.rows()).map(({ port }) => port)).to.deep.equal([staying.port]);
    });

    it('that says so by a flatline, and whose port is closed', async () => {
      await room.open();
      const server = await room.listed({ gamename: undefined }, 'Wolfenstein-1');
      server.send('heartbeat WolfFlatline-1\n');
      await room.untilCounted('challenged', 2);
      await server.close();
      await room.untilExamined();
      await room.untilCounted('left');
    });

    it('but none that is silent and has its port: heartbeats can be forged, and limits can silence it', async () => {
      await room.open();
      const server = await room.listed();
      server.send('heartbeat DarkPlaces\n');
      server.send('heartbeat DarkPlaces\n');
      await room.untilCounted('challenged', 3);
      await room.untilExamined();
      expect(await room.rows()).to.have.length(1);
    });

    it('but none that starts anew at its port meanwhile', async () => {
      await room.open();
      const server = await room.listed();
      server.send('heartbeat DarkPlaces\n');
      server.send('heartbeat DarkPlaces\n');
      await room.untilCounted('challenged', 3);
      await server.close();
      await room.untilExamined(async () => {
        const again = await room.player(undefined, undefined, server.port);
        again.send('heartbeat DarkPlaces\n');
        await room.untilCounted('challenged', 4);
      });
      expect(await room.rows()).to.have.length(1);
    });

    it('but none that misses one question, or answers any', async () => {
      await room.open();
      const [lossy, forged] = [await room.listed(), await room.listed()];
      lossy.send('heartbeat DarkPlaces\n');
      forged.send('heartbeat DarkPlaces\n');
      forged.send('heartbeat DarkPlaces\n');
      await room.untilCounted('challenged', 5);
      await forged.challenge();
      forged.infoResponse((await forged.challenge())!);
      await room.untilCounted('refreshed');
      await room.clock.advance(10_000);
      expect(await room.rows()).to.have.length(2);
    });

    it('but none because this process was paused while its answer waited to be read', async () => {
      await room.open();
      const server = await room.listed();
      server.send('heartbeat DarkPlaces\n');
      server.send('heartbeat DarkPlaces\n');
      await room.untilCounted('challenged', 3);
      room.clock.jump(60_000);
      await room.clock.advance(250);
      expect(await room.rows()).to.have.length(1);
    });
  });

  it('lets one that says no more expire after fifteen minutes', async () => {
    await room.open();
    await room.listed();
    await room.clock.advance(895_000);
    expect(await room.rows()).to.have.length(1);
    await room.clock.advance(15_000);
    await until(async () => (await room.rows()).length === 0);
  });

  it('asks no banned game server, and none of a private address where they must be public', async () => {
    await room.open({ publicAddressesOnly: true });
    const server = await room.player();
    server.send('heartbeat DarkPlaces\n');
    expect(await server.list('getservers Testing 3')).to.deep.equal([]);
    expect(room.outcomes).to.deep.equal(['refused']);
  });
});
