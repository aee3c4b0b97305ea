/**
 * Which client a request is taken to come from: direct, behind one proxy or two, with headers that are forged or
 * broken.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { createClients, peerOf, type Client, type Clients } from '../../../src/api/http/client.ts';
import { parseIp } from '../../../src/model/net/ip.ts';
import { parseNetworks } from '../../../src/model/net/networks.ts';
import { runs } from '../../support/runs.ts';

const CLIENT = '198.51.100.7';
const IPV6_CLIENT = '2001:db8::7';
const TRUSTED = '10.0.0.0/8,fd00::/8';

/** The client of a request from this peer with these headers. */
function clientOf(
  clients: Clients,
  peer: string | undefined,
  headers: IncomingHttpHeaders = {},
): Client | undefined {
  return clients({ headers, socket: { remoteAddress: peer } as Socket });
}

const behind = (header: string, trusted = TRUSTED): Clients =>
  createClients({ trustedProxies: parseNetworks(trusted), header });

type Row = readonly [
  what: string,
  peer: string,
  header: string | undefined,
  address: string,
  doubt?: Client['doubt'],
];

function itFinds(header: string, rows: readonly Row[]): void {
  const clients = behind(header);
  for (const [what, peer, text, address, doubt] of rows)
    it(`of ${what} is found`, () => {
      const headers = text === undefined ? {} : { [header.toLowerCase()]: text };
      expect({ doubt: undefined, ...clientOf(clients, peer, headers) }).to.deep.equal({ address, doubt });
    });
}

describe('the client', () => {
  describe('where no proxy is trusted', () => {
    const clients = createClients();
    const PEERS: readonly (readonly [peer: string, address: string])[] = [
      [CLIENT, CLIENT],
      [`::ffff:${CLIENT}`, CLIENT],
      ['2001:DB8:0::7', IPV6_CLIENT],
      ['fe80::1%eth0', 'fe80::1'],
    ];
    for (const [peer, address] of PEERS)
      it(`is the peer, of ${peer}`, () => {
        expect(clientOf(clients, peer)).to.deep.equal({ address });
      });

    it('is unknown where the connection was gone before its address was taken', () => {
      expect(clientOf(clients, undefined)).to.equal(undefined);
      expect(clientOf(behind('X-Forwarded-For'), undefined, { 'x-forwarded-for': CLIENT })).to.equal(
        undefined,
      );
    });

    it('stays known when the connection is gone later', () => {
      const socket = { remoteAddress: CLIENT as string | undefined };
      expect(peerOf(socket as Socket)).to.equal(CLIENT);
      socket.remoteAddress = undefined;
      expect(clients({ headers: {}, socket: socket as Socket })).to.deep.equal({ address: CLIENT });
    });

    for (const header of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'])
      it(`is the peer, in doubt, with a header ${header}`, () => {
        expect(clientOf(clients, CLIENT, { [header]: '192.0.2.1' })).to.deep.equal({
          address: CLIENT,
          doubt: 'untrusted_proxy',
        });
      });
  });

  describe('in X-Forwarded-For', () => {
    itFinds('X-Forwarded-For', [
      ['a direct connection', CLIENT, undefined, CLIENT],
      ['a direct connection with a forged header', CLIENT, '192.0.2.1', CLIENT, 'untrusted_proxy'],
      ['a direct connection with an empty header', CLIENT, '', CLIENT, 'untrusted_proxy'],
      ['a direct connection from a trusted address', '10.0.0.9', undefined, '10.0.0.9'],
      ['one proxy', '10.0.0.1', CLIENT, CLIENT],
      ['one proxy whose address is mapped into IPv6', '::ffff:10.0.0.1', CLIENT, CLIENT],
      ['one proxy, and a forged header before', '10.0.0.1', `192.0.2.1, ${CLIENT}`, CLIENT],
      [
        'one proxy, and forged trusted addresses before',
        '10.0.0.1',
        `192.0.2.1, 10.0.0.2, ${CLIENT}`,
        CLIENT,
      ],
      ['two proxies', '10.0.0.1', `${CLIENT}, 10.0.0.2`, CLIENT],
      ['two proxies, and a forged header before', '10.0.0.1', `192.0.2.1,${CLIENT},10.0.0.2`, CLIENT],
      ['two proxies, the outer one not trusted', '10.0.0.1', `192.0.2.1, ${CLIENT}`, CLIENT],
      ['a trusted client behind two proxies', '10.0.0.1', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
      ['an IPv6 client behind an IPv6 proxy', 'fd00::1', '2001:DB8:0::7', IPV6_CLIENT],
      ['an IPv6 client in brackets', '10.0.0.1', '[2001:db8::7]', IPV6_CLIENT],
      ['an IPv6 client with a port', '10.0.0.1', '[2001:db8::7]:4711', IPV6_CLIENT],
      ['a client mapped into IPv6', '10.0.0.1', `::ffff:${CLIENT}`, CLIENT],
      ['a client mapped into IPv6, with a port', '10.0.0.1', `[::ffff:${CLIENT}]:4711`, CLIENT],
      ['a proxy mapped into IPv6', '10.0.0.1', `${CLIENT}, ::ffff:10.0.0.2`, CLIENT],
      ['an IPv4 client with a port', '10.0.0.1', `${CLIENT}:4711`, CLIENT],
      ['tabs and spaces', '10.0.0.1', ` \t${CLIENT}\t , \t10.0.0.2 `, CLIENT],
      ['an empty header', '10.0.0.1', '', '10.0.0.1', 'unnamed_client'],
      ['nothing but commas', '10.0.0.1', ',,,', '10.0.0.1', 'unnamed_client'],
      ['junk', '10.0.0.1', 'junk', '10.0.0.1', 'unnamed_client'],
      ['junk before the address', '10.0.0.1', `", junk, ${CLIENT}`, CLIENT],
      ['junk behind the address', '10.0.0.1', `${CLIENT}, junk`, '10.0.0.1', 'unnamed_client'],
      ['an empty element behind it', '10.0.0.1', `${CLIENT},`, '10.0.0.1', 'unnamed_client'],
      ['junk before a trusted proxy', '10.0.0.1', `${CLIENT}, junk, 10.0.0.2`, '10.0.0.2', 'unnamed_client'],
      ['an unknown client', '10.0.0.1', 'unknown', '10.0.0.1', 'unnamed_client'],
      ['a client with a zone', '10.0.0.1', 'fe80::1%eth0', '10.0.0.1', 'unnamed_client'],
      ['an address and a half', '10.0.0.1', '1.2.3.4.5', '10.0.0.1', 'unnamed_client'],
      ['a network', '10.0.0.1', '1.2.3.4/8', '10.0.0.1', 'unnamed_client'],
      ['a broken port', '10.0.0.1', `${CLIENT}:x`, '10.0.0.1', 'unnamed_client'],
      ['an open bracket', '10.0.0.1', '[::1', '10.0.0.1', 'unnamed_client'],
      ['a very long header', '10.0.0.1', `${'192.0.2.1, '.repeat(700)}${CLIENT}`, CLIENT],
      ['a very long chain of proxies', '10.0.0.1', `${CLIENT}${', 10.0.0.2'.repeat(700)}`, CLIENT],
      ['a very long element', '10.0.0.1', '1'.repeat(8000), '10.0.0.1', 'unnamed_client'],
    ]);

    it('is in doubt when the trusted peer names it in another header only', () => {
      for (const header of ['forwarded', 'x-real-ip', 'via'])
        expect(clientOf(behind('X-Forwarded-For'), '10.0.0.1', { [header]: CLIENT })).to.deep.equal({
          address: '10.0.0.1',
          doubt: 'unnamed_client',
        });
    });

    it('is not taken from any other header', () => {
      const headers = { 'x-forwarded-for': CLIENT, forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' };
      expect(clientOf(behind('X-Forwarded-For'), '10.0.0.1', headers)).to.deep.equal({ address: CLIENT });
    });
  });

  describe('in Forwarded', () => {
    itFinds('Forwarded', [
      ['a direct connection', CLIENT, undefined, CLIENT],
      ['a direct connection with a forged header', CLIENT, 'for=192.0.2.1', CLIENT, 'untrusted_proxy'],
      ['one proxy', '10.0.0.1', `for=${CLIENT}`, CLIENT],
      ['one proxy, and a forged header before', '10.0.0.1', `for=192.0.2.1, for=${CLIENT}`, CLIENT],
      ['two proxies', '10.0.0.1', `for=${CLIENT}, for=10.0.0.2`, CLIENT],
      ['other parameters around it', '10.0.0.1', `by=10.0.0.1;FOR="${CLIENT}:4711";proto=https`, CLIENT],
      ['an IPv6 client', '10.0.0.1', 'for="[2001:DB8::7]"', IPV6_CLIENT],
      ['an IPv6 client with a port', '10.0.0.1', 'proto=http;for="[2001:db8::7]:4711"', IPV6_CLIENT],
      ['a client with a hidden port', '10.0.0.1', `for="${CLIENT}:_x.y-z"`, CLIENT],
      ['separators in quotes', '10.0.0.1', `for=${CLIENT};host="a, for=192.0.2.1;for=192.0.2.1"`, CLIENT],
      ['escaped quotes', '10.0.0.1', `for=${CLIENT};host="a\\", for=192.0.2.1;x=\\""`, CLIENT],
      ['an open quote before', '10.0.0.1', `for="192.0.2.1, for="[2001:db8::7]"`, IPV6_CLIENT],
      ['a backslash before', '10.0.0.1', `for="\\, for="[2001:db8::7]"`, IPV6_CLIENT],
      ['a client that is hidden', '10.0.0.1', 'for=_hidden', '10.0.0.1', 'unnamed_client'],
      ['an unknown client', '10.0.0.1', `for=${CLIENT}, for=unknown`, '10.0.0.1', 'unnamed_client'],
      ['no client', '10.0.0.1', 'by=10.0.0.1;proto=https', '10.0.0.1', 'unnamed_client'],
      ['two clients in one', '10.0.0.1', `for=${CLIENT};for=192.0.2.1`, '10.0.0.1', 'unnamed_client'],
      ['a bare address', '10.0.0.1', CLIENT, '10.0.0.1', 'unnamed_client'],
      ['an empty header', '10.0.0.1', '', '10.0.0.1', 'unnamed_client'],
      ['quotes that are not closed', '10.0.0.1', `for="${CLIENT}`, '10.0.0.1', 'unnamed_client'],
      ['a long row of quotes', '10.0.0.1', `${'"\\'.repeat(4000)},for=${CLIENT}`, CLIENT],
    ]);
  });

  describe('in a header with one address', () => {
    itFinds('CF-Connecting-IP', [
      ['one proxy', '10.0.0.1', CLIENT, CLIENT],
      ['one proxy, with IPv6', '10.0.0.1', IPV6_CLIENT, IPV6_CLIENT],
      ['a direct connection with a forged header', CLIENT, '192.0.2.1', CLIENT, 'untrusted_proxy'],
      ['junk', '10.0.0.1', 'junk', '10.0.0.1', 'unnamed_client'],
    ]);
  });

  it('is found anew for each request of a connection', () => {
    const clients = behind('X-Forwarded-For');
    const socket = { remoteAddress: '10.0.0.1' } as Socket;
    for (const address of [CLIENT, '192.0.2.1', CLIENT])
      expect(clients({ headers: { 'x-forwarded-for': address }, socket })).to.deep.equal({ address });
    expect(clients({ headers: {}, socket })).to.deep.equal({ address: '10.0.0.1' });
  });

  it('is told by a connection only once', () => {
    let asked = 0;
    const socket = {
      get remoteAddress() {
        asked += 1;
        return CLIENT;
      },
    } as Socket;
    const clients = createClients();
    for (let at = 0; at < 3; at += 1)
      expect(clients({ headers: {}, socket })).to.deep.equal({ address: CLIENT });
    expect(asked).to.equal(1);
  });

  const anUntrusted = fc
    .oneof(fc.ipV4(), fc.ipV6())
    .map((text) => parseIp(text)!)
    .filter((ip) => !parseNetworks(TRUSTED).has(ip));
  const someProxies = fc.array(fc.constantFrom('10.0.0.1', '10.1.2.3', 'fd00::1', 'fd00:1::'), {
    maxLength: 3,
  });
  const anyHeader = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc
      .array(fc.constantFrom(',', ';', '"', '\\', ' ', 'for=', '10.0.0.1', '192.0.2.1', '[', ']', ':'))
      .map((parts) => parts.join('')),
  );
  const WRITTEN: Readonly<Record<string, (ip: string) => string>> = {
    'X-Forwarded-For': (ip) => ip,
    Forwarded: (ip) => (ip.includes(':') ? `for="[${ip}]"` : `for=${ip}`),
  };
  for (const [header, write] of Object.entries(WRITTEN))
    it(`is never changed by what a client itself sends as ${header}`, () => {
      const clients = behind(header);
      fc.assert(
        fc.property(
          anUntrusted,
          someProxies,
          anyHeader,
          fc.constantFrom(',', ', '),
          (ip, proxies, sent, comma) => {
            const text = [sent, ...[ip, ...proxies].map(write)].join(comma);
            const found = clientOf(clients, '10.0.0.9', { [header.toLowerCase()]: text });
            expect(found).to.deep.equal({ address: ip });
          },
        ),
        { numRuns: runs(2000) },
      );
    });

  it('is never the word of a client that is not trusted', () => {
    fc.assert(
      fc.property(anUntrusted, anyHeader, (peer, sent) => {
        for (const header of Object.keys(WRITTEN))
          expect(clientOf(behind(header), peer, { [header.toLowerCase()]: sent })).to.deep.equal({
            address: peer,
            doubt: 'untrusted_proxy',
          });
      }),
      { numRuns: runs(500) },
    );
  });

  it('of any header is found without an exception, and is an address', () => {
    fc.assert(
      fc.property(anyHeader, (text) => {
        for (const header of Object.keys(WRITTEN)) {
          const { address } = clientOf(behind(header), '10.0.0.1', { [header.toLowerCase()]: text })!;
          expect(parseIp(address)).to.equal(address);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});
