import { expect } from 'chai';
import * as fc from 'fast-check';
import { Infostring } from '../../../src/protocols/dpmaster/infostring.ts';
import {
  addressRecord,
  getinfoPacket,
  listPackets,
  parseGetServers,
  readInteger,
  readPacket,
  readTag,
} from '../../../src/protocols/dpmaster/packets.ts';
import { EVERY_GAME, Games } from '../../../src/protocols/dpmaster/games.ts';
import { describeGameServer } from '../../../src/protocols/dpmaster/game-server.ts';
import { runs } from '../../support/runs.ts';

const packet = (text: string): Buffer => Buffer.from(`\xff\xff\xff\xff${text}`, 'latin1');

const numberIn = (text: string): number | undefined => readInteger(text)?.value;

describe('dpmaster: packets', () => {
  it('are told apart by their beginning, and end at a zero byte', () => {
    expect(readPacket(packet('heartbeat DarkPlaces\n'))).to.deep.equal({
      kind: 'heartbeat',
      text: 'DarkPlaces\n',
    });
    expect(readPacket(packet('infoResponse\n\\a\\b\0\\c\\d'))).to.deep.equal({
      kind: 'infoResponse',
      text: '\\a\\b',
    });
    expect(readPacket(packet('getservers 68'))).to.deep.equal({ kind: 'getservers', text: '68' });
    expect(readPacket(packet('getserversExt G 68'))).to.deep.equal({ kind: 'getserversExt', text: 'G 68' });
    for (const each of ['', 'heartbeat', 'getserversX 68', 'Heartbeat x', 'infoResponse \\a\\b', 'getinfo x'])
      expect(readPacket(packet(each)), each).to.equal(undefined);
    expect(readPacket(Buffer.from('heartbeat DarkPlaces\n'))).to.equal(undefined);
    expect(readPacket(Buffer.alloc(0))).to.equal(undefined);
  });

  it('are read up to 2,048 bytes', () => {
    expect(readPacket(packet(`getservers ${'x'.repeat(5000)}`))!.text).to.have.length(2048 - 4 - 11);
  });

  it('have the first word of a heartbeat as its tag', () => {
    expect(readTag('  QuakeArena-1\nmore')).to.equal('QuakeArena-1');
    expect(readTag('\n')).to.equal('');
  });

  it('have numbers as strtol() reads them, of 32 bits', () => {
    expect(['68', '-1', '+2', '\t 3 x', '0x1F', '017', '0'].map(numberIn)).to.deep.equal([
      68, -1, 2, 3, 31, 15, 0,
    ]);
    for (const each of ['', 'x', '-', '68\n', '08', '1.5', '4TheFun', '2147483648', '9'.repeat(400)])
      expect(numberIn(each), each).to.equal(undefined);
    expect(numberIn('-2147483648')).to.equal(-(2 ** 31));
  });

  it('may end with a line feed, as those of qstat', () => {
    expect(parseGetServers('71 empty full\n', false)).to.include({ protocol: 71, empty: true, full: true });
    expect(parseGetServers('71\n', false)).to.include({ game: undefined, protocol: 71 });
  });

  it('may name a game that begins with a number', () => {
    expect(parseGetServers('4TheFun 5 empty', false)).to.include({
      game: '4TheFun',
      protocol: 5,
      empty: true,
    });
  });

  it('have addresses big-endian behind a backslash or, of IPv6, a slash', () => {
    expect(addressRecord([0x0102, 0x0304], 2048).toString('latin1')).to.equal('\\\x01\x02\x03\x04\x08\x00');
    const six = addressRecord([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1], 1);
    expect(six.toString('hex')).to.equal('2f20010db80000000000000000000000010001');
  });

  it('fill packets as far as they go, and never divide an address or the end', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 500 }), fc.boolean(), (families, isExtended) => {
        const records = families.map((isIpv4) =>
          addressRecord(
            Array.from({ length: isIpv4 ? 2 : 8 }, () => 7),
            9,
          ),
        );
        const packets = listPackets(isExtended, records);
        const head = packet(isExtended ? 'getserversExtResponse' : 'getserversResponse');
        const bodies = packets.map((each) => {
          expect(each.length).to.be.at.most(1400);
          expect(each.subarray(0, head.length).equals(head)).to.equal(true);
          return each.subarray(head.length);
        });
        expect(
          Buffer.concat(bodies).equals(Buffer.concat([...records, Buffer.from('\\EOT\0\0\0')])),
        ).to.equal(true);
        for (const each of packets.slice(0, -1)) expect(each.length).to.be.at.least(1400 - 18);
      }),
      { numRuns: runs(50) },
    );
  });

  it('ask with no more bytes than a heartbeat has with its headers, or hardly', () => {
    expect(getinfoPacket('x'.repeat(19))).to.have.length(31);
  });
});

describe('dpmaster: an infostring', () => {
  it('has the first value of each key', () => {
    const info = new Infostring('\\a\\1\\b\\\\a\\2\\end\\');
    expect([info.get('a'), info.get('b'), info.get('end'), info.get('c')]).to.deep.equal([
      '1',
      '',
      '',
      undefined,
    ]);
  });

  it('says nothing without its first backslash, and nothing by a key without a value', () => {
    expect(new Infostring('a\\1').get('a')).to.equal(undefined);
    expect(new Infostring('\\a').get('a')).to.equal(undefined);
  });

  it('has no key and no value of more than 255 letters', () => {
    const [long, most] = ['x'.repeat(256), 'x'.repeat(255)];
    const info = new Infostring(`\\${long}\\1\\${most}\\2\\long\\${long}\\long\\short\\most\\${most}`);
    expect(info.get(long)).to.equal(undefined);
    expect(info.get(most)).to.equal('2');
    expect(info.get('long')).to.equal(undefined);
    expect(info.get('most')).to.equal(most);
  });

  it('has no key that it does not say', () => {
    expect(new Infostring('\\a\\1').get('__proto__')).to.equal(undefined);
    expect(new Infostring('\\__proto__\\1').get('__proto__')).to.equal('1');
  });
});

/** What is near to real packets: pieces of them in any order, with any bytes between. */
const PIECES = [
  'heartbeat ',
  'infoResponse\n',
  'getservers ',
  'getserversExt ',
  'DarkPlaces',
  'QuakeArena-1',
  '\n',
  ' ',
  '\0',
  '\\',
  'challenge',
  'gamename',
  'Testing',
  'protocol',
  '68',
  '-1',
  '0x',
  '0',
  'clients',
  'sv_maxclients',
  'gametype',
  'hostname',
  'gametype=',
  'empty',
  'full',
  'ipv4',
  'ipv6',
  'ctf',
  '^1',
  '\xff',
  '9999999999999',
  '__proto__',
  'x'.repeat(300),
];

describe('dpmaster: any bytes', () => {
  const games = new Games(EVERY_GAME, []);
  const peer = { address: '192.0.2.1', port: 27_960 } as const;

  function take(bytes: Buffer): void {
    const read = readPacket(bytes);
    if (read === undefined) return;
    if (read.kind === 'heartbeat') expect(readTag(read.text).length).to.be.at.most(63);
    else if (read.kind === 'infoResponse') {
      const server = describeGameServer(new Infostring(read.text), peer, games.tag('QuakeArena-1')!, games);
      if (server === undefined) return;
      expect(server.name).to.match(/^[^\p{Cc}]{1,128}$/u);
      expect(server.players).to.be.within(0, 1_000_000);
      expect(server.maxPlayers).to.be.within(1, 1_000_000);
    } else {
      const request = parseGetServers(read.text, read.kind === 'getserversExt');
      if (request === undefined) return;
      expect(request.protocol).to.equal(request.protocol | 0);
      expect(request.ipv4 || request.ipv6).to.equal(true);
    }
  }

  // 100,000 in .ci/run.
  it('are read without an error, within bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 16 }), (pieces) =>
        take(packet(pieces.join(''))),
      ),
      { numRuns: runs(15_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => take(Buffer.from(bytes))),
      { numRuns: runs(5000) },
    );
  });
});
