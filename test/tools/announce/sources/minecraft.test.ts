/** The Server List Ping, against servers that answer by a script; the replies are recorded ones. */

import { expect } from 'chai';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { chatText, Minecraft } from '../../../../src/tools/announce/sources/queries/minecraft.ts';
import { freePort } from '../../../support/free-port.ts';
import { until } from '../../../support/until.ts';
import { MINECRAFT, minecraftReply } from './recordings.ts';
import { usePeers } from './use-peers.ts';

describe('the Server List Ping', () => {
  const peers = usePeers();

  /** Answers the first request with these pieces. */
  const answer = (...pieces: readonly Buffer[]): Promise<{ readonly port: number }> =>
    peers.tcp((socket) => {
      socket.once('data', async () => {
        for (const piece of pieces) {
          socket.write(piece);
          await nextTurnOfTheLoop();
        }
      });
    });

  it('asks with a handshake for the host that players name, and for the status', () => {
    const [question] = new Minecraft({ host: 'mc.example.org', port: 25_565 }).question;
    expect(question!.toString('hex')).to.equal(
      `1800ffffffff0f0e${Buffer.from('mc.example.org').toString('hex')}63dd010100`,
    );
  });

  it('reads a vanilla server of 1.8', async () => {
    const { port } = await answer(MINECRAFT.vanilla1_8);
    expect(await peers.ask('minecraft', port)).to.deep.equal({
      is: 'told',
      state: { name: 'A Minecraft Server', version: '1.8-pre1', players: 0, maxPlayers: 20 },
    });
  });

  it('reads a reply that comes byte by byte', async () => {
    const reply = minecraftReply(MINECRAFT.vanilla2026);
    const { port } = await answer(...Array.from(reply, (byte) => Buffer.from([byte])));
    expect(await peers.ask('minecraft', port)).to.deep.equal({
      is: 'told',
      state: { name: 'A Minecraft Server', version: '26.1.2', players: 0, maxPlayers: 20 },
    });
  });

  it('reads the text of nested components', async () => {
    const { port } = await answer(minecraftReply(MINECRAFT.paper1_18));
    expect(await peers.ask('minecraft', port)).to.deep.equal({
      is: 'told',
      state: { name: 'aa Welcome to BitCraft! aa', version: 'Paper 1.18.1', players: 0, maxPlayers: 30 },
    });
  });

  it('takes colours and line breaks out of a text', () => {
    expect(chatText('§a§lFirst§r line\n§x§f§f§0§0§0§0second')).to.equal('First line second');
    expect(chatText({ translate: 'connect.title', extra: [' ', { text: 'now' }, 5, null] })).to.equal(
      'connect.title now',
    );
  });

  it('reads no deeper and longer text than is shown', () => {
    let deep: unknown = 'deep';
    for (let level = 0; level < 10_000; level += 1)
      deep = { text: level === 9999 ? 'top' : '', extra: [deep] };
    expect(chatText(deep)).to.equal('top');
    expect(chatText(Array.from({ length: 50_000 }, () => ({ text: 'x'.repeat(100) })))).to.have.length.below(
      3000,
    );
  });

  it('takes what is no number for not said, and bounds the others', async () => {
    const { port } = await answer(
      minecraftReply('{"players":{"online":-3,"max":1e300},"version":{"name":7},"description":null}'),
    );
    expect(await peers.ask('minecraft', port)).to.deep.equal({
      is: 'told',
      state: { players: 0, maxPlayers: 1_000_000 },
    });
    const other = await answer(minecraftReply('{"players":{"online":"3","max":null},"version":"1.8"}'));
    expect(await peers.ask('minecraft', other.port)).to.deep.equal({ is: 'told', state: {} });
  });

  for (const [title, pieces] of [
    ['another protocol', [Buffer.from('SSH-2.0-OpenSSH_9.2p1\r\n')]],
    ['HTTP', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
    ['no JSON', [minecraftReply('{"players"')]],
    ['JSON that is no object', [minecraftReply('[1]')]],
    ['a length of gigabytes', [Buffer.from('ffffffff0f', 'hex')]],
    ['a text longer than its packet', [Buffer.from('0500ff7f', 'hex')]],
    ['another packet', [Buffer.from('0901', 'hex'), Buffer.alloc(8)]],
  ] as const)
    it(`says that ${title} is no status`, async () => {
      const { port } = await answer(...pieces);
      expect(await peers.ask('minecraft', port)).to.deep.equal({
        is: 'unusable',
        why: `TCP 127.0.0.1:${port} answers, but not with the status of Minecraft: is it the port that players connect to?`,
      });
    });

  it('says that a connection was closed', async () => {
    const { port } = await peers.tcp((socket) => socket.end());
    expect(await peers.ask('minecraft', port)).to.deep.equal({
      is: 'unusable',
      why: `TCP 127.0.0.1:${port} closes the connection before it has answered`,
    });
  });

  it('says that a port is closed', async () => {
    const port = await freePort();
    expect(await peers.ask('minecraft', port)).to.deep.equal({
      is: 'refused',
      why: `TCP 127.0.0.1:${port} refused the query: is the game server listening?`,
    });
  });

  it('does not wait for ever, for nothing or for half a reply', async () => {
    for (const [piece, is] of [
      [Buffer.alloc(0), 'silent'],
      [MINECRAFT.vanilla1_8.subarray(0, 50), 'unusable'],
    ] as const) {
      let wrote = false;
      const { port } = await peers.tcp((socket) => {
        socket.once('data', () => socket.write(piece, () => (wrote = true)));
      });
      const reading = peers.ask('minecraft', port);
      await until(() => wrote);
      // What was written has to come.
      for (let turn = 0; turn < 20; turn += 1) await nextTurnOfTheLoop();
      await peers.clock.advance(3000);
      expect((await reading).is).to.equal(is);
    }
  });
});
