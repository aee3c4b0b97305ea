/** IP addresses and networks of them, as the options and the counts per address use them. */

import { isIP, SocketAddress } from 'node:net';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { comparableIp, groupsOf, ipv4Within, networkOf, parseIp } from '../../../src/model/net/ip.ts';
import { parseNetworks } from '../../../src/model/net/networks.ts';
import { runs } from '../../support/runs.ts';

const anIp = fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => parseIp(text)!);

/** What Node makes of it; IPv4 mapped into IPv6 is plain IPv4. */
function nodeIp(text: string): string | undefined {
  const family = isIP(text);
  if (family === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' });
  return /^::ffff:(?=.*\.)(.*)$/.exec(address)?.[1] ?? address;
}

describe('an address', () => {
  it('is as Node reads and writes it', () => {
    const anAddress = fc.oneof(
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(':', '::', '.', '0', 'ffff', 'F', '1', '255', '01', '%', 'g', '\n'), maxLength: 12 }),
      fc.tuple(fc.constantFrom('::', '::ffff:', '::FFFF:0:', '0:0:0:0:0:ffff:', '64:ff9b::'), fc.ipV4()).map((all) => all.join('')),
      fc.array(fc.constantFrom('0', '1', 'ffff', ''), { maxLength: 9 }).map((all) => all.join(':')),
    ); // prettier-ignore
    fc.assert(
      fc.property(anAddress, (text) => {
        expect(parseIp(text), text).to.equal(nodeIp(text));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('the network of an address', () => {
  const NETWORKS: Readonly<Record<string, string>> = {
    '203.0.113.7': '203.0.113.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8::/64',
    '2001:db8:0:1::': '2001:db8:0:1::/64',
    '1::2:3:4:5:6': '1:0:0:2::/64',
    '::1': '::/64',
    '::': '::/64',
    '::1.2.3.4': '1.2.3.4',
    '64:ff9b::102:304': '1.2.3.4',
    '2002:102:304:5::6': '1.2.3.4',
    '2002::1': '2002::/64',
    '64:ff9b:1::102:304': '64:ff9b:1::/64',
    '': '',
  };
  for (const [ip, network] of Object.entries(NETWORKS))
    it(`${ip || 'that is unknown'} is ${network || 'unknown'}`, () => {
      expect(networkOf(ip)).to.equal(network);
    });

  it('is in canonical form and holds the address', () => {
    fc.assert(
      fc.property(anIp, (ip) => {
        const network = networkOf(ip);
        const [first] = network.split('/') as [string];
        expect(parseIp(first)).to.equal(first);
        expect(parseNetworks(network).has(comparableIp(ip))).to.equal(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('is the same exactly for IPv6 addresses whose first 64 bits are the same, if there is no IPv4 in them', () => {
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), fc.boolean(), (one, other, isSame) => {
        const [a, b] = [groupsOf(parseIp(one)!), groupsOf(parseIp(other)!)];
        fc.pre(a.length === 8 && b.length === 8);
        const neighbour = (isSame ? [...a.slice(0, 4), ...b.slice(4)] : b).map((group) => group.toString(16));
        const ip = parseIp(neighbour.join(':'))!;
        fc.pre(ip.includes(':') && [a, groupsOf(ip)].every((each) => ipv4Within(each) === undefined));
        const hasSameBits = a.slice(0, 4).join() === groupsOf(ip).slice(0, 4).join();
        expect(networkOf(parseIp(one)!) === networkOf(ip)).to.equal(hasSameBits);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('a set of networks', () => {
  const CASES: readonly (readonly [set: string, inside: readonly string[], outside: readonly string[]])[] = [
    ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0', 'a00::', '::a00:1']],
    ['203.0.113.8/29', ['203.0.113.8', '203.0.113.15'], ['203.0.113.7', '203.0.113.16']],
    ['128.0.0.0/1', ['128.0.0.0', '255.255.255.255'], ['127.255.255.255', 'ffff::']],
    ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::', '::1']],
    ['::/0', ['::', 'ffff::1'], ['0.0.0.0', '1.2.3.4']],
    ['2001:db8::/33', ['2001:db8:7fff::1'], ['2001:db8:8000::', '2001:db9::']],
    ['2001:DB8::1', ['2001:db8::1'], ['2001:db8::', '2001:db8::2']],
    ['::ffff:10.0.0.0/104', ['10.1.2.3'], ['11.0.0.0']],
    ['::ffff:10.0.0.1', ['10.0.0.1'], ['10.0.0.2']],
    ['10.0.0.1 , 10.0.0.3', ['10.0.0.1', '10.0.0.3'], ['10.0.0.2']],
    ['loopback', ['127.0.0.1', '127.255.0.1', '::1'], ['128.0.0.1', '::2']],
    ['linklocal', ['169.254.1.1', 'fe80::1', 'febf::1'], ['169.255.0.0', 'fec0::']],
    ['uniquelocal', ['10.0.0.1', '172.31.0.1', '192.168.1.1', 'fd00::1'], ['172.32.0.0', 'fe00::']],
    ['private,loopback', ['10.0.0.1', '172.16.0.1', '192.168.1.1', 'fc00::1', '::1'], ['100.64.0.1']],
  ];
  for (const [set, inside, outside] of CASES)
    it(`${set} holds what is in it and nothing else`, () => {
      const networks = parseNetworks(set);
      for (const ip of inside) expect(networks.has(ip), ip).to.equal(true);
      for (const ip of [...outside, '']) expect(networks.has(ip), ip).to.equal(false);
    });

  const FORM =
    'must hold networks such as 10.0.0.0/8, addresses or loopback, linklocal, uniquelocal, private, not ';
  const BITS = 'must hold no network with bits set behind its prefix: write ';
  const REFUSED: Readonly<Record<string, string>> = {
    '': `${FORM}""`,
    '10.0.0.1,': `${FORM}""`,
    Loopback: `${FORM}"Loopback"`,
    constructor: `${FORM}"constructor"`,
    'loopback/8': `${FORM}"loopback/8"`,
    'example.com': `${FORM}"example.com"`,
    '10.0.0.0/': `${FORM}"10.0.0.0/"`,
    '10.0.0.0/8/8': `${FORM}"10.0.0.0/8/8"`,
    '10.0.0.0/255.0.0.0': `${FORM}"10.0.0.0/255.0.0.0"`,
    '10.0.0.0/-1': `${FORM}"10.0.0.0/-1"`,
    '[::1]': `${FORM}"[::1]"`,
    'fe80::1%eth0': `${FORM}"fe80::1%eth0"`,
    '10.0.0.0/33': 'must hold prefixes from 0 to 32 bits, not "10.0.0.0/33"',
    '::/129': 'must hold prefixes from 0 to 128 bits, not "::/129"',
    '::ffff:10.0.0.0/8': 'must hold prefixes from 96 to 128 bits, not "::ffff:10.0.0.0/8"',
    '10.1.2.3/8': `${BITS}10.0.0.0/8 or 10.1.2.3, not "10.1.2.3/8"`,
    '2001:db8::1/33': `${BITS}2001:db8::/33 or 2001:db8::1, not "2001:db8::1/33"`,
  };
  for (const [text, message] of Object.entries(REFUSED))
    it(`is not made of ${JSON.stringify(text)}`, () => {
      expect(() => parseNetworks(text)).to.throw(Error, message);
    });
});
