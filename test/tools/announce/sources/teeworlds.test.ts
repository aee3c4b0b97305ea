/** The queries of Teeworlds and DDNet, against servers that answer with recorded replies. */

import { expect } from 'chai';
import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises';
import { until } from '../../../support/until.ts';
import { TEEWORLDS } from './recordings.ts';
import { usePeers } from './use-peers.ts';

const isOf0_6 = (datagram: Buffer): boolean => datagram.toString('latin1', 0, 2) === 'xe';
const isTokenRequest = (datagram: Buffer): boolean => datagram[0] === 4;

describe('the queries of Teeworlds', () => {
  const peers = usePeers();

  it('reads DDNet by its extended reply', async () => {
    const { port, received } = await peers.udp((datagram) =>
      isOf0_6(datagram) ? [TEEWORLDS.ddnetExtended] : [],
    );
    expect(await peers.ask('teeworlds', port)).to.deep.equal({
      is: 'told',
      state: {
        name: 'D net',
        map: 'Tutorial',
        mode: 'TestDDraceNetwor',
        version: '0.6.4, 16.4',
        players: 0,
        maxPlayers: 64,
        password: true,
      },
    });
    expect(received[0]!.toString('hex')).to.equal('786507070000ffffffff6769653307');
  });

  it('reads a server of 0.6 that knows no extended reply', async () => {
    const { port } = await peers.udp((datagram) => (isOf0_6(datagram) ? [TEEWORLDS.ddnetVanilla] : []));
    expect(await peers.ask('teeworlds', port)).to.have.nested.include({
      'state.name': 'D net [0/64]',
      'state.maxPlayers': 16,
    });
  });

  it('reads a server of 0.7 with its token', async () => {
    const { port, received } = await peers.udp((datagram) => {
      if (isOf0_6(datagram)) return [];
      return [isTokenRequest(datagram) ? TEEWORLDS.token0_7 : TEEWORLDS.info0_7];
    });
    expect(await peers.ask('teeworlds', port)).to.deep.equal({
      is: 'told',
      state: {
        name: 'T seven',
        map: 'dm1',
        mode: 'DM',
        version: '0.7.5',
        players: 0,
        maxPlayers: 8,
        password: false,
      },
    });
    const [, request, , query] = received.map((each) => each.toString('hex'));
    expect(request).to.equal(`040000ffffffff0500070707${'00'.repeat(508)}`);
    expect(query).to.equal('21141eafdc00070707ffffffff67696533879c38');
  });

  it('prefers the reply of 0.6 where DDNet answers both ways', async () => {
    const { port } = await peers.udp((datagram) => {
      if (isOf0_6(datagram)) return [];
      if (isTokenRequest(datagram)) return [Buffer.from('0400000007070705899a1ed4', 'hex')];
      return [TEEWORLDS.ddnet0_7, TEEWORLDS.ddnetExtended];
    });
    expect(await peers.ask('teeworlds', port)).to.have.nested.property('state.version', '0.6.4, 16.4');
  });

  it('makes do with the reply of 0.7 where the other one is lost', async () => {
    let isSent = false;
    const { port } = await peers.udp((datagram) => {
      if (isOf0_6(datagram)) return [];
      if (isTokenRequest(datagram)) return [Buffer.from('0400000007070705899a1ed4', 'hex')];
      isSent = true;
      return [TEEWORLDS.ddnet0_7];
    });
    const reading = peers.ask('teeworlds', port);
    await until(() => isSent);
    let isRead = false;
    void reading.then(() => (isRead = true));
    await until(async () => {
      await peers.clock.advance(100);
      return isRead;
    });
    expect(await reading).to.have.nested.property('state.version', '0.7↔0.6.4, 16.4');
  });

  it('takes no reply with the token of another', async () => {
    const strange = Buffer.from(TEEWORLDS.ddnetExtended);
    strange.write('999999', 14, 'latin1');
    const { port } = await peers.udp(() => [strange, TEEWORLDS.ddnetVanilla]);
    expect(await peers.ask('teeworlds', port)).to.have.nested.property('state.maxPlayers', 16);
  });

  it('takes no reply of 0.7 to another question', async () => {
    const strange = Buffer.from(TEEWORLDS.info0_7);
    strange[17]! ^= 1;
    const { port } = await peers.udp((datagram) => {
      if (isOf0_6(datagram)) return [];
      return isTokenRequest(datagram) ? [TEEWORLDS.token0_7] : [strange, TEEWORLDS.ddnetVanilla];
    });
    expect(await peers.ask('teeworlds', port)).to.have.nested.property('state.name', 'D net [0/64]');
  });

  it('says that half a reply is one', async () => {
    const { port } = await peers.udp(() => [TEEWORLDS.ddnetExtended.subarray(0, -20)]);
    expect(await peers.ask('teeworlds', port)).to.deep.equal({
      is: 'unusable',
      why: `UDP 127.0.0.1:${port} answers the query of Teeworlds with half a reply`,
    });
  });

  it('takes one token, however many come', async () => {
    const { port, received } = await peers.udp((_, number) => [
      Buffer.from(`04000000070707050000000${number % 10}`, 'hex'),
    ]);
    const reading = peers.ask('teeworlds', port);
    await until(() => received.length >= 4);
    await peers.clock.advance(3000);
    expect((await reading).is).to.equal('unusable');
    // Three times by itself, and once with the token.
    await until(() => received.length >= 8);
    await nextTurnOfTheLoop();
    expect(received).to.have.length(8);
  });
});
