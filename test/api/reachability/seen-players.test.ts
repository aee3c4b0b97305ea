/** The number of players in answers to queries: what game servers say, and what hostile ones might. */

import { expect } from 'chai';
import * as fc from 'fast-check';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readA2s } from '../../../src/api/reachability/query-a2s.ts';
import { readQuake3 } from '../../../src/api/reachability/query-quake3.ts';
import type { Meaning } from '../../../src/api/reachability/query-udp.ts';
import { MOST_PLAYERS } from '../../../src/model/game-server.ts';
import { until } from '../../support/until.ts';
import { useProbes } from './use-probes.ts';

const INFO = '\u00ff\u00ff\u00ff\u00ffinfoResponse\n';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The reply of a Source server with these bytes behind its texts and its application. */
const aReply = (counts: readonly number[], texts = 'A server\0de_dust2\0cstrike\0Counter-Strike\0'): Buffer =>
  Buffer.concat([bytes(`\u00ff\u00ff\u00ff\u00ffI\u0011${texts}\u00f0\u0000`), Buffer.from(counts)]);

const playersOf = (meaning: Meaning): number | undefined | string =>
  meaning.is === 'reply' ? meaning.players : meaning.is;

const inA2s = (counts: readonly number[], texts?: string): unknown =>
  playersOf(readA2s(aReply(counts, texts)));
const inQuake3 = (info: string): unknown => playersOf(readQuake3(bytes(INFO + info), 'abc'));

/** A hostile datagram: any bytes, or the beginning of a reply with any bytes behind it. */
const datagram = fc
  .tuple(
    fc.constantFrom('', '\u00ff\u00ff\u00ff\u00ffI', '\u00ff\u00ff\u00ff\u00ffA', INFO, `${INFO}\\clients\\`),
    fc.uint8Array({ maxLength: 200 }),
  )
  .map(([beginning, rest]) => Buffer.concat([bytes(beginning), rest]));

const isSound = (players: number | undefined | string): boolean =>
  typeof players !== 'number' || (Number.isInteger(players) && players >= 0 && players <= MOST_PLAYERS);

describe('the players in a reply to A2S_INFO', () => {
  it('are those on the server without its bots, whatever comes behind', () => {
    expect(inA2s([12, 32, 0])).to.equal(12);
    expect(inA2s([12, 32, 10, 0x64, 0x6c, 0, 1])).to.equal(2);
    expect(inA2s([0, 32, 0, ...Array<number>(60_000).fill(7)])).to.equal(0);
    // A game that does not count its bots as players.
    expect(inA2s([3, 32, 10])).to.equal(3);
  });

  it('are not known where a byte is too small for them, or the reply ends before', () => {
    expect(inA2s([255, 255, 0])).to.equal(undefined);
    const whole = aReply([12, 32, 0]);
    for (let length = 5; length < whole.length; length += 1)
      expect(readA2s(whole.subarray(0, length)), String(length)).to.deep.equal({
        is: 'reply',
        players: undefined,
      });
    expect(inA2s([12, 32, 0], 'three\0texts\0only\0')).to.equal(undefined);
    expect(readA2s(bytes('\u00fe\u00ff\u00ff\u00ff\u0001\u0000')).is).to.equal('reply');
  });

  it('are a number of players, or not known, in whatever else comes', () => {
    fc.assert(fc.property(datagram, (each) => isSound(playersOf(readA2s(each)))));
  });
});

describe('the players in a reply to getinfo', () => {
  it('are the people, as far as the game tells them from bots', () => {
    expect(inQuake3('\\challenge\\abc\\clients\\9\\g_humanplayers\\2\\sv_maxclients\\12')).to.equal(2);
    expect(inQuake3('\\challenge\\abc\\clients\\9\\bots\\4')).to.equal(5);
    expect(inQuake3('\\clients\\9')).to.equal(9);
    expect(inQuake3('\\clients\\0\\hostname\\')).to.equal(0);
    expect(inQuake3('\\clients\\1000000\\clients\\7')).to.equal(1_000_000);
  });

  it('are not known if there is no such number', () => {
    const others = [
      '',
      '\\',
      '\\clients',
      '\\clients\\',
      '\\clients\\-1',
      '\\clients\\1e3',
      '\\clients\\1.5',
    ];
    const more = ['\\clients\\1000001', '\\clients\\ 4', 'clients\\4', '\\a\\clients\\4', '\\bots\\2'];
    for (const info of [...others, ...more]) expect(inQuake3(info), info).to.equal(undefined);
    expect(inQuake3(`${'\\a\\b'.repeat(600)}\\clients\\4`)).to.equal(undefined);
  });

  it('are those of this query alone', () => {
    expect(inQuake3('\\challenge\\abd\\clients\\4')).to.equal('other');
    expect(playersOf(readQuake3(bytes('\u00ff\u00ff\u00ff\u00ffstatusResponse\n\\clients\\4'), ''))).to.equal(
      'other',
    );
  });

  it('are a number of players, or not known, in whatever else comes', () => {
    fc.assert(fc.property(datagram, (each) => isSound(playersOf(readQuake3(each, 'abc')))));
    fc.assert(fc.property(fc.string(), (info) => isSound(inQuake3(info) as number | undefined)));
  });
});

describe('a probe whose answer tells the players', () => {
  const probes = useProbes();

  /** A game server that answers each datagram so. */
  const answering = async (reply: (query: string) => Buffer): Promise<number> => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    probes.afterwards(() => socket.close());
    socket.on('message', (query, from) =>
      socket.send(reply(query.toString('latin1')), from.port, from.address),
    );
    return socket.address().port;
  };

  it('has them, by the query of Source and by that of Quake III', async () => {
    const source = await answering(() => aReply([12, 32, 2]));
    expect(await probes.start('a2s', source)).to.deep.equal({
      outcome: 'answered',
      words: 'verified',
      players: 10,
    });
    const quake = await answering((query) => {
      const [, challenge] = /^\u00ff{4}getinfo ([\da-f]{12})$/.exec(query)!;
      return bytes(`${INFO}\\clients\\4\\challenge\\${challenge}`);
    });
    expect(await probes.start('quake3', quake)).to.deep.equal({
      outcome: 'answered',
      words: 'verified',
      players: 4,
    });
  });

  it('is answered without them by a reply that does not tell', async () => {
    const port = await answering(() => bytes(`${INFO}\\hostname\\x`));
    expect(await probes.start('quake3', port)).to.deep.equal({ outcome: 'answered', words: 'verified' });
  });

  it('says that something else answers, such as a reply with the challenge of another', async () => {
    let queries = 0;
    const port = await answering(() => {
      queries += 1;
      return bytes(`${INFO}\\challenge\\other\\clients\\60`);
    });
    const result = probes.start('quake3', port);
    for (let second = 0; second < 3; second += 1) {
      await until(() => queries > second);
      await probes.clock.advance(1000);
    }
    expect(await result).to.deep.equal({
      outcome: 'other_protocol',
      words: `UDP 127.0.0.1:${port} answers, but not to getinfo: is it the query port?`,
    });
  });
});
