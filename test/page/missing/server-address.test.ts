import { expect } from 'chai';
import { assert, constantFrom, integer, ipV4, ipV6, domain, oneof, property, string } from 'fast-check';
import { addressOf } from '../../../src/model/address-of.ts';
import { parseServerAddress } from '../../../src/page/missing/question.ts';

const PORTS = integer({ min: 1, max: 65_535 });

describe('the address of a game server, as a person has it', () => {
  for (const [text, host, port] of [
    ['play.example.com:7777', 'play.example.com', 7777],
    ['  203.0.113.7 7777 ', '203.0.113.7', 7777],
    ['203.0.113.7\t7777', '203.0.113.7', 7777],
    ['203.0.113.7, 7777', '203.0.113.7', 7777],
    ['203.0.113.7 port 7777', '203.0.113.7', 7777],
    ['203.0.113.7 Port: 7777', '203.0.113.7', 7777],
    ['[2001:db8::7]:7777', '2001:db8::7', 7777],
    ['[2001:db8::7] 7777', '2001:db8::7', 7777],
    ['2001:db8::7 7777', '2001:db8::7', 7777],
    ['::ffff:203.0.113.7 7777', '::ffff:203.0.113.7', 7777],
    ['2001:db8::7', '2001:db8::7', undefined],
    ['play.example.com', 'play.example.com', undefined],
    ['play.example.com:', 'play.example.com', undefined],
    ['7777', undefined, 7777],
    [':7777', undefined, 7777],
    ['', undefined, undefined],
    [':', undefined, undefined],
    ['connect 203.0.113.7:7777; password secret', '203.0.113.7', 7777],
    ['+connect 203.0.113.7:7777 +password secret', '203.0.113.7', 7777],
    ['/connect play.example.com:7777', 'play.example.com', 7777],
    ['steam://connect/203.0.113.7:7777/secret', '203.0.113.7', 7777],
    ['mygame://user:secret@play.example.com:7777/?a=1', 'play.example.com', 7777],
    ['https://play.example.com/servers', 'play.example.com', undefined],
    ['"203.0.113.7:7777"', '203.0.113.7', 7777],
    ['\u200b203.0.113.7:7777\u200b', '203.0.113.7', 7777],
    ['connect.example.com:1', 'connect.example.com', 1],
    ['müsli.example:27015', 'müsli.example', 27_015],
  ] as const)
    it(`is read from ${JSON.stringify(text)}`, () => {
      expect(parseServerAddress(text)).to.deep.equal({ host, port });
    });

  for (const text of [
    'play.example.com:0',
    'play.example.com:65536',
    'play.example.com:7777x',
    'play.example.com:77.77',
    'play.example.com:99999999999999999999',
    'my server',
    '<script>',
    '[]:7777',
    '[2001:db8::7',
  ])
    it(`is not read from ${JSON.stringify(text)}`, () => {
      expect(parseServerAddress(text)).to.equal(undefined);
    });

  it('is read back from what the page writes, by whatever it is separated', () => {
    assert(
      property(oneof(ipV4(), ipV6(), domain()), PORTS, constantFrom(' ', '  ', '\t'), (host, port, space) => {
        const expected = { host, port };
        expect(parseServerAddress(addressOf(host, port))).to.deep.equal(expected);
        expect(parseServerAddress(`${host}${space}${port}`)).to.deep.equal(expected);
      }),
    );
  });

  it('is whole or not there, whatever is typed, and has no space and no password in it', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        const { host = 'x', port = 1 } = parseServerAddress(text) ?? {};
        expect(host).to.match(/^[^\s;"'[\]/]+$/u);
        expect(port).to.be.within(1, 65_535);
      }),
    );
  });
});
