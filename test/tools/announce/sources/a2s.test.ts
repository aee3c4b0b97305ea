/** A2S_INFO, against servers of every kind of behaviour; the replies are recorded ones (recordings.ts). */

import { expect } from 'chai';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { until } from '../../../support/until.ts';
import { A2S } from './recordings.ts';
import { usePeers } from './use-peers.ts';

const QUERY = 'ffffffff54536f7572636520456e67696e6520517565727900';

type Form = 'source' | 'sourceBefore2007' | 'goldSource';

/** The parts of a reply in one of the three forms. */
function split(reply: Buffer, form: Form, id = 7, bytes = 40): Buffer[] {
  const total = Math.ceil(reply.length / bytes);
  return Array.from({ length: total }, (_, number) => {
    const head = Buffer.alloc(form === 'goldSource' ? 9 : form === 'source' ? 12 : 10);
    head.writeInt32LE(-2);
    head.writeUInt32LE(id, 4);
    if (form === 'goldSource') head.writeUInt8((number << 4) | total, 8);
    else head.set([total, number], 8);
    if (form === 'source') head.writeUInt16LE(bytes, 10);
    return Buffer.concat([head, reply.subarray(number * bytes, (number + 1) * bytes)]);
  });
}

describe('A2S_INFO', () => {
  const peers = usePeers();

  it('reads a server of Counter-Strike: Source, and counts its bots apart', async () => {
    const { port, received } = await peers.udp(() => [A2S.counterStrikeSource]);
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'told',
      state: {
        name: 'game2xs.com Counter-Strike Source #1',
        map: 'de_dust',
        mode: 'Counter-Strike: Source',
        version: '1.0.0.22',
        players: 1,
        maxPlayers: 16,
        password: false,
        meta: { bots: 4 },
      },
    });
    expect(received.map((each) => each.toString('hex'))).to.deep.equal([QUERY]);
  });

  it('reads a full server of Age of Chivalry with its keywords', async () => {
    const { port } = await peers.udp(() => [A2S.ageOfChivalry]);
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'told',
      state: {
        name: '-=THE BATTLEGROUNDS *HARDCORE*=-',
        map: 'aoc_battleground',
        mode: 'Age of Chivalry',
        version: '1.0.0.6',
        players: 22,
        maxPlayers: 32,
        password: false,
        tags: ['HLstatsX:CE', 'increased_maxplayers'],
      },
    });
  });

  it('reads a server of Valheim behind its challenge: a password, and no game', async () => {
    const { port, received } = await peers.udp((_, number) => [
      number === 1 ? A2S.valheimChallenge : A2S.valheim,
    ]);
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'told',
      state: {
        name: 'Bravas',
        map: 'Bravas',
        version: '1.0.0.0',
        players: 0,
        maxPlayers: 10,
        password: true,
        tags: ['g=0.221.12', 'n=36', 'm='],
      },
    });
    expect(received.map((each) => each.toString('hex'))).to.deep.equal([QUERY, `${QUERY}3447f2fe`]);
  });

  it('parts keywords by semicolons as well, and reads UTF-8', async () => {
    const zomboid = await peers.udp(() => [A2S.projectZomboid]);
    expect(await peers.ask('a2s', zomboid.port))
      .to.have.nested.property('state.tags')
      .deep.equal(['modded', 'pvp', 'VERSION:42.20']);
    const cs2 = await peers.udp(() => [A2S.counterStrike2]);
    expect(await peers.ask('a2s', cs2.port)).to.have.nested.property(
      'state.name',
      'CS2 5X5 | 5v5 #287 [BR] — CYBERSHOKE.NET',
    );
  });

  for (const form of ['source', 'sourceBefore2007', 'goldSource'] as const)
    it(`puts the parts of a reply together, whatever their order: ${form}`, async () => {
      const parts = split(A2S.counterStrike2, form).toReversed();
      const { port } = await peers.udp(() => [parts[0]!, ...parts]);
      const reading = await peers.ask('a2s', port);
      expect(reading).to.have.nested.property('state.map', 'de_mirage');
      expect(reading).to.have.nested.property('state.tags[11]', 'g');
    });

  it('puts no reply together of the parts of two', async () => {
    const [first, second] = [split(A2S.valheim, 'source', 1), split(A2S.ageOfChivalry, 'source', 2)];
    const { port } = await peers.udp(() => [first[0]!, second[1]!, ...second.slice(2), first[2]!, first[1]!]);
    expect(await peers.ask('a2s', port)).to.have.nested.property('state.name', 'Bravas');
  });

  it('refuses a reply that is compressed', async () => {
    const part = Buffer.concat([
      split(A2S.valheim, 'source', 0x80_00_00_07)[0]!.subarray(0, 12),
      Buffer.from('BZh9 and so on'),
    ]);
    const { port } = await peers.udp(() => [part]);
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'unusable',
      why: `UDP 127.0.0.1:${port} compresses its reply, and compressed replies are not read`,
    });
  });

  it('gives up on a server that answers each query with another challenge', async () => {
    const { port, received } = await peers.udp((_, number) => [
      Buffer.from(`ffffffff410000000${number}`, 'hex'),
    ]);
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'unusable',
      why: `UDP 127.0.0.1:${port} answers each query with another challenge`,
    });
    expect(received).to.have.length(5);
  });

  it('asks again when a query was lost, with the challenge that it has', async () => {
    const { port, received } = await peers.udp((_, number) =>
      number === 1 ? [A2S.valheimChallenge] : number === 3 ? [A2S.valheim] : [],
    );
    const reading = peers.ask('a2s', port);
    await until(() => received.length === 2);
    await peers.clock.advance(1000);
    expect((await reading).is).to.equal('told');
    expect(received[2]).to.deep.equal(received[1]);
  });

  it('says that half a reply is one', async () => {
    const { port } = await peers.udp(() => [A2S.valheim.subarray(0, 40)]);
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'unusable',
      why: `UDP 127.0.0.1:${port} answers A2S_INFO with half a reply`,
    });
  });

  it('says that something else answers, and takes in no flood of it', async () => {
    const { port, received } = await peers.udp(() => Array.from({ length: 200 }, () => Buffer.from('pong')));
    expect(await peers.ask('a2s', port)).to.deep.equal({
      is: 'unusable',
      why: `UDP 127.0.0.1:${port} answers, but not to A2S_INFO: is it the query port?`,
    });
    await nextTurnOfTheLoop();
    expect(received).to.have.length(1);
  });

  it('reads a reply behind noise', async () => {
    const { port } = await peers.udp(() => [
      Buffer.alloc(0),
      Buffer.from('ffffffff', 'hex'),
      Buffer.from('pong'),
      A2S.valheim,
    ]);
    expect((await peers.ask('a2s', port)).is).to.equal('told');
  });
});
