import { expect } from 'chai';
import * as fc from 'fast-check';
import { addressOf } from '../../../src/model/address-of.ts';
import { connectAddress } from '../../../src/page/parts/connect.ts';
import type { ListedServer } from '../../../src/model/view/listed-server.ts';

const SERVER: ListedServer = {
  id: 'abc-_1',
  host: 'eu1.example.com',
  name: 'Frankfurt #1 & more',
  port: 7777,
  ip: '203.0.113.7',
  players: 1,
  max_players: 8,
  registered_at: '2026-11-22T10:00:00.000Z',
};
const OVER_IPV6 = { ...SERVER, ip: '2001:db8::7' };

const HOSTILE = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'javascript:',
        '&',
        'addr=',
        '#',
        '?',
        '/',
        '//',
        '@',
        ':',
        '%26',
        '{ip}',
        '[',
        ']',
        ' ',
        '\n',
        '..',
        '::1',
        '$&',
        '\ud800',
      ),
    )
    .map((parts) => parts.join('')),
);
const HOSTILE_SERVERS: fc.Arbitrary<ListedServer> = fc.record({
  id: HOSTILE,
  host: HOSTILE,
  name: HOSTILE,
  ip: fc.oneof(fc.ipV4(), fc.ipV6(), HOSTILE),
  port: fc.integer({ min: 1, max: 65535 }),
  players: fc.constant(0),
  max_players: fc.constant(0),
  registered_at: fc.constant(''),
});
const TEMPLATES = [
  'steam://connect/{ip}:{port}',
  'mygame://join?addr={host}:{port}&name={name}&id={id}',
  'mygame:join?to={address}&ip={ip}',
  'https://play.example.com/join?host={host}&port={port}&name={name}',
  'https://play.example.com/{id}/{name}/join',
];

describe('the address of a game server', () => {
  it('has an IPv6 address in brackets', () => {
    expect(addressOf('203.0.113.7', 7777)).to.equal('203.0.113.7:7777');
    expect(addressOf('2001:db8::7', 7777)).to.equal('[2001:db8::7]:7777');
  });
});

describe('the address that connects', () => {
  const examples: readonly (readonly [
    template: string,
    server: ListedServer,
    address: string | undefined,
  ])[] = [
    ['steam://connect/{ip}:{port}', SERVER, 'steam://connect/203.0.113.7:7777'],
    ['steam://connect/{ip}:{port}', OVER_IPV6, 'steam://connect/[2001:db8::7]:7777'],
    ['steam://connect/{address}', OVER_IPV6, 'steam://connect/[2001:db8::7]:7777'],
    ['mygame:join?ip={ip}&port={port}', OVER_IPV6, 'mygame:join?ip=2001%3Adb8%3A%3A7&port=7777'],
    ['mygame://join?addr={host}:{port}', SERVER, 'mygame://join?addr=eu1.example.com:7777'],
    ['mygame:{id}?n={name}', SERVER, 'mygame:abc-_1?n=Frankfurt%20%231%20%26%20more'],
    ['mygame:{name}', { ...SERVER, name: '{ip}$&' }, 'mygame:%7Bip%7D%24%26'],
    ['{name}', { ...SERVER, name: 'javascript:alert(1)' }, undefined],
    ['javascript:{name}', SERVER, undefined],
    ['JavaScript:{name}', SERVER, undefined],
    [' javascript:{name}', SERVER, undefined],
    ['data:text/html,{name}', SERVER, undefined],
    ['vbscript:{name}', SERVER, undefined],
    ['https://example.com/{name}/join', { ...SERVER, name: '..' }, undefined],
    ['https://{host}/', { ...SERVER, host: ' ' }, undefined],
    ['mygame:{name}', { ...SERVER, name: '\ud800' }, undefined],
  ];
  for (const [template, server, address] of examples)
    it(`of ${JSON.stringify(template)} for ${JSON.stringify(server.name)} is ${address ?? 'none'}`, () => {
      expect(connectAddress(template, server)).to.equal(address);
    });

  it('has the scheme of its template, and no parameter or part more, whatever a game server says', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TEMPLATES), HOSTILE_SERVERS, (template, server) => {
        const address = connectAddress(template, server);
        if (address === undefined) return;
        const meant = new URL(connectAddress(template, SERVER)!);
        const url = new URL(address);
        expect(url.protocol).to.equal(meant.protocol);
        expect([...url.searchParams.keys()]).to.deep.equal([...meant.searchParams.keys()]);
        expect(url.hash).to.equal('');
        expect(url.username + url.password).to.equal('');
        expect(url.pathname.split('/')).to.have.length(meant.pathname.split('/').length);
        expect(address).not.to.match(/[\s"<>\\^`{|}]/);
      }),
      { numRuns: 2000 },
    );
  });
});
