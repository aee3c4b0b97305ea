/** The info of a Teeworlds server: what its own list gets, and what others show of it. */

import { expect } from 'chai';
import { MOST_DOCUMENT_BYTES } from '../../../src/registry/native-entries.ts';
import type { GameServer } from '../../../src/model/game-server.ts';
import { RegisterError } from '../../../src/protocols/ddnet/registration.ts';
import { describerOf, isReadable, parseInfo } from '../../../src/protocols/ddnet/server-info.ts';
import { aClient, anInfo } from '../../support/ddnet/ddnet-game-server.ts';

const LINK = 'tw-0.6+udp://192.0.2.1:8303';

function shownOf(info: object, links: readonly string[] = [LINK]): GameServer {
  return describerOf(parseInfo(Buffer.from(JSON.stringify(info))), 7)(links);
}

function refusalOf(body: string | Buffer): string {
  try {
    parseInfo(Buffer.from(body));
  } catch (error) {
    expect(error).to.be.instanceOf(RegisterError);
    return `${(error as RegisterError).status} ${(error as RegisterError).message}`;
  }
  return 'taken';
}

/** An object of so many levels. */
function nested(levels: number): string {
  return `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

describe('the info of a Teeworlds server', () => {
  it('is a document without the blanks that it came with', () => {
    expect(parseInfo(Buffer.from(' { "a" : [ 1 , "b c" ] } \n'))).to.equal('{"a":[1,"b c"]}');
  });

  it('is refused where it is no JSON object', () => {
    for (const body of ['', '{', 'nonsense', '\ufeff{}', "{'a':1}"])
      expect(refusalOf(body)).to.match(/^400 Request body deserialize error: /);
    for (const body of ['[]', 'null', '7', '"text"', 'true'])
      expect(refusalOf(body)).to.equal('400 register info must be an object');
  });

  it('is refused where a client would give up the whole list for it', () => {
    const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    expect(refusalOf(notUtf8)).to.match(/^400 /);
    for (const text of ['\\ud800', '\\uDC00', 'x\\udbffy', '\\\\\\ud800'])
      for (const body of [`{"name":"${text}"}`, `{"${text}":1}`, `{"a":[{"b":"${text}"}]}`])
        expect(refusalOf(body), body).to.match(/^400 /);
    for (const text of ['\\ud83d\\ude00', '\\\\ud800', '😀'])
      expect(refusalOf(`{"name":"${text}"}`)).to.equal('taken');
  });

  it('is refused where it is deeper than the original reads', () => {
    expect(refusalOf(nested(127))).to.equal('taken');
    for (const levels of [128, 16_000]) expect(refusalOf(nested(levels))).to.match(/^400 /);
  });

  it('is refused where it has too many bytes as a document', () => {
    const numbers = `{"a":[${Array.from({ length: 6000 }, () => '1e20').join()}]}`;
    expect(numbers.length).to.be.below(MOST_DOCUMENT_BYTES);
    expect(refusalOf(numbers)).to.equal('413 The request payload is too large');
  });

  it('shows name, map, game type, version, password and clients in other lists', () => {
    const { details, ...shown } = shownOf(anInfo({ clients: [aClient(), aClient()], passworded: true }));
    expect(shown).to.deep.equal({
      host: '192.0.2.1',
      ip: '192.0.2.1',
      port: 8303,
      name: 'A server',
      players: 2,
      maxPlayers: 64,
    });
    expect(details?.fields).to.deep.equal({
      game: 'Teeworlds',
      kept: { serial: 7 },
      map: 'Tutorial',
      mode: 'DDraceNetwork',
      version: '0.6.4, 16.4',
      password: true,
    });
  });

  it('is shown cleaned in other lists, and kept as it is in its own', () => {
    const name = `^1Red\u0007\u202e tee\u2028${'x'.repeat(30_000)}`;
    const info = anInfo({ name, version: '\u0000\t', map: { name: '\u001b[31mMap' } });
    const { name: shown, details } = shownOf(info);
    expect(shown)
      .to.match(/^\^1Red tee x+$/)
      .and.to.have.length(128);
    expect(details?.fields).to.include({ map: '[31mMap' }).and.to.not.have.property('version');
    expect(JSON.parse(parseInfo(Buffer.from(JSON.stringify(info))))).to.deep.equal(info);
  });

  it('is shown with its address where its name is empty or no text', () => {
    for (const name of ['', ' \t', '\u202e', 7, null, ['a'], { a: 1 }])
      expect(shownOf(anInfo({ name })).name).to.equal(LINK);
  });

  it('is shown whatever the types in it are', () => {
    for (const value of [null, true, -1, 1.5, 1e300, '7', [], ['a'], {}, { name: {} }, { length: 9 }]) {
      const info = Object.fromEntries(
        [...Object.keys(anInfo()), '__proto__', 'toString'].map((key) => [key, value]),
      );
      const { name, players, maxPlayers, details } = shownOf(info);
      expect(name).to.be.a('string').and.to.not.equal('');
      expect(players).to.equal(Array.isArray(value) ? value.length : 0);
      expect(maxPlayers).to.equal(0);
      for (const detail of ['map', 'mode', 'version'] as const)
        if (details?.fields[detail] !== undefined) expect(details.fields[detail]).to.be.a('string');
    }
    expect(shownOf(anInfo({ max_clients: 2 ** 52 })).maxPlayers).to.equal(1_000_000);
  });

  it('has the first of its addresses in the order of the original, whatever came first', () => {
    const links = [
      'tw-0.7+udp://[2001:db8::7]:8303',
      'tw-0.6+udp://[2001:db8::7]:8303',
      'tw-0.7+udp://192.0.2.10:8303',
      'tw-0.6+udp://192.0.2.9:8304',
    ];
    for (const order of [links, links.toReversed()]) {
      const { ip, port, details } = shownOf(anInfo(), order);
      expect({ ip, port }).to.deep.equal({ ip: '192.0.2.9', port: 8304 });
      expect(details?.fields.addresses).to.deep.equal([
        { ip: '192.0.2.10', port: 8303 },
        { ip: '2001:db8::7', port: 8303 },
      ]);
    }
  });

  it('is told to be unreadable where it did not come from here', () => {
    expect(isReadable('{"a":1}')).to.equal(true);
    for (const document of [
      '',
      '{',
      '[]',
      'null',
      '{ "a":1}',
      '{"a":"\\ud800"}',
      `{"a":${'['.repeat(200)}${']'.repeat(200)}}`,
    ])
      expect(isReadable(document), document).to.equal(false);
  });
});
