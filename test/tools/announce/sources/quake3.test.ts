/** getinfo and getstatus, against servers that answer by a script; most replies are recorded ones. */

import { expect } from 'chai';
import type { Reading } from '../../../../src/tools/announce/sources/game-state.ts';
import { until } from '../../../support/until.ts';
import { QUAKE3 } from './recordings.ts';
import { usePeers, type Script } from './use-peers.ts';

const CHALLENGE = '070707070707';

/** Answers what is asked for; '' is no answer. */
const answers =
  (info: Buffer | undefined, status: Buffer | undefined): Script =>
  (datagram) => {
    const answer = datagram.includes('getinfo') ? info : status;
    return answer === undefined ? [] : [answer];
  };

const info = (text: string): Buffer => Buffer.from(`\u00ff\u00ff\u00ff\u00ffinfoResponse\n${text}`, 'latin1');

describe('getinfo and getstatus', () => {
  const peers = usePeers();

  /** The reading, for which time passes while nothing else happens. */
  async function soon(reading: Promise<Reading>): Promise<Reading> {
    let isRead = false;
    void reading.then(() => (isRead = true));
    await until(async () => {
      await peers.clock.advance(100);
      return isRead;
    });
    return reading;
  }

  it('reads OpenArena: people without bots, no private slots, no colours, the version of the status', async () => {
    const { port, received } = await peers.udp(
      answers(QUAKE3.openArenaInfo(CHALLENGE), QUAKE3.openArenaStatus),
    );
    expect(await peers.ask('quake3', port)).to.deep.equal({
      is: 'told',
      state: {
        name: 'Red Arena',
        map: 'oa_dm1',
        mode: 'ffa',
        version: 'ioq3 1.36+u20221123.70d07d9+dfsg-1/Debian linux-x86_64',
        players: 2,
        maxPlayers: 10,
        password: false,
      },
    });
    expect(received.map(String).map((each) => each.slice(4).replace(/^\W+/, ''))).to.deep.equal([
      `getinfo ${CHALLENGE}`,
      `getstatus ${CHALLENGE}`,
    ]);
  });

  it('makes do with a status: counts its lines, and takes private slots off', async () => {
    const { port } = await peers.udp(answers(undefined, QUAKE3.quake3Status));
    const reading = peers.ask('quake3', port);
    expect(await soon(reading)).to.deep.equal({
      is: 'told',
      state: {
        name: 'games.on.net #5 Q3A (NSW)',
        map: 'q3dm8',
        mode: 'ffa',
        version: 'Q3 1.32c win-x86',
        players: 2,
        maxPlayers: 16,
        password: false,
      },
    });
  });

  it('takes the private slots off what a status says', async () => {
    const { port } = await peers.udp(answers(undefined, QUAKE3.openArenaStatus));
    expect(await soon(peers.ask('quake3', port))).to.have.nested.include({
      'state.players': 0,
      'state.maxPlayers': 10,
    });
  });

  it('reads Xonotic: bots apart, the mode of its status', async () => {
    const { port } = await peers.udp(answers(QUAKE3.xonoticInfo, QUAKE3.xonoticInfo));
    const reading = peers.ask('quake3', port);
    expect(await soon(reading)).to.deep.equal({
      is: 'told',
      state: {
        name: '[o8] Nexican v2.5.1',
        map: 'dance',
        mode: 'ctf',
        version: '20000',
        players: 2,
        maxPlayers: 24,
        meta: { bots: 2 },
      },
    });
  });

  it('leaves the number of a mode that only its game knows', async () => {
    const said = info('\\mapname\\ut4_turnpike\\gametype\\4\\game\\q3ut4\\clients\\1\\sv_maxclients\\8');
    const { port } = await peers.udp(answers(said, QUAKE3.quake3Status.subarray(0, 0)));
    const reading = peers.ask('quake3', port);
    expect(await soon(reading)).to.have.nested.property('state.mode', '4');
  });

  it('takes no reply to the question of another', async () => {
    const { port, received } = await peers.udp(answers(QUAKE3.openArenaInfo('stranger'), undefined));
    const reading = peers.ask('quake3', port);
    await until(() => received.length === 2);
    expect((await soon(reading)).is).to.equal('unusable');
  });

  it('takes counts that are none for not said, and bounds the others', async () => {
    const said = info(
      `\\challenge\\${CHALLENGE}\\mapname\\m\\clients\\-5\\sv_maxclients\\999999999\\g_needpass\\1\\hostname\\^1^2 `,
    );
    const status = Buffer.from(
      `\u00ff\u00ff\u00ff\u00ffstatusResponse\n\\mapname\\m\\clients\\1e9\n`,
      'latin1',
    );
    const { port } = await peers.udp(answers(said, status));
    expect(await peers.ask('quake3', port)).to.deep.equal({
      is: 'told',
      state: { map: 'm', players: 0, maxPlayers: 1_000_000, password: true },
    });
  });
});
