/** Which addresses count as reachable from the internet, by the registries of IANA. */

import { expect } from 'chai';
import { whyUnreachable } from '../../../src/model/net/public-address.ts';

const REACHABLE = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.0.9',
  '192.0.0.10',
  '192.0.1.0',
  '192.31.196.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:1::1',
  '2001:1::2',
  '2001:1::3',
  '2001:3::1',
  '2001:4:112::1',
  '2001:20::1',
  '2001:30::1',
  '2001:200::1',
  '2620:4f:8000::1',
  '2a00:1450::1',
  '3ffe::1',
  '3fff:1000::1',
  '64:ff9b::101:101',
  '2002:101:101::1',
  // A Teredo client at 1.1.1.1 with its server at 1.0.0.1.
  '2001:0:100:1::fefe:fefe',
];

const UNREACHABLE: Readonly<Record<string, string>> = {
  '0.0.0.0': '0.0.0.0/8 (this network, RFC 791)',
  '10.255.255.255': '10.0.0.0/8 (private use, RFC 1918)',
  '100.64.0.1': '100.64.0.0/10 (shared by the clients of a provider, RFC 6598)',
  '100.127.255.255': '100.64.0.0/10 (shared by the clients of a provider, RFC 6598)',
  '127.0.0.1': '127.0.0.0/8 (loopback, RFC 1122)',
  '169.254.169.254': '169.254.0.0/16 (link-local, RFC 3927)',
  '172.16.0.0': '172.16.0.0/12 (private use, RFC 1918)',
  '172.31.255.255': '172.16.0.0/12 (private use, RFC 1918)',
  '192.0.0.8': '192.0.0.0/24 (protocol assignments, RFC 6890)',
  '192.0.0.171': '192.0.0.0/24 (protocol assignments, RFC 6890)',
  '192.0.2.1': '192.0.2.0/24 (documentation, RFC 5737)',
  '192.88.99.1': '192.88.99.0/24 (deprecated 6to4 relays, RFC 7526)',
  '192.168.0.5': '192.168.0.0/16 (private use, RFC 1918)',
  '198.18.0.1': '198.18.0.0/15 (benchmarks, RFC 2544)',
  '198.51.100.1': '198.51.100.0/24 (documentation, RFC 5737)',
  '203.0.113.7': '203.0.113.0/24 (documentation, RFC 5737)',
  '224.0.0.1': '224.0.0.0/4 (multicast, RFC 5771)',
  '239.255.255.255': '224.0.0.0/4 (multicast, RFC 5771)',
  '240.0.0.1': '240.0.0.0/4 (reserved, RFC 1112)',
  '255.255.255.255': '255.255.255.255/32 (broadcast, RFC 919)',
  '::': '::/128 (no address, RFC 4291)',
  '::1': '::1/128 (loopback, RFC 4291)',
  '::1.1.1.1': '::/96 (deprecated IPv4-compatible addresses, RFC 4291)',
  '64:ff9b:1::101:101': '64:ff9b:1::/48 (local translation to IPv4, RFC 8215)',
  '100::1': '100::/64 (discarded, RFC 6666)',
  '100:0:0:1::1': '100:0:0:1::/64 (dummy addresses, RFC 9780)',
  '2001:1::4': '2001::/23 (protocol assignments, RFC 2928)',
  '2001:2::1': '2001::/23 (protocol assignments, RFC 2928)',
  '2001:10::1': '2001::/23 (protocol assignments, RFC 2928)',
  '2001:db8::1': '2001:db8::/32 (documentation, RFC 3849)',
  '3fff:fff::1': '3fff::/20 (documentation, RFC 9637)',
  '5f00::1': '5f00::/16 (segment routing, RFC 9602)',
  'fc00::1': 'fc00::/7 (private use, RFC 4193)',
  'fdff::1': 'fc00::/7 (private use, RFC 4193)',
  'fe80::1': 'fe80::/10 (link-local, RFC 4291)',
  'fec0::1': 'fec0::/10 (deprecated site-local addresses, RFC 3879)',
  'ff02::1': 'ff00::/8 (multicast, RFC 4291)',
};

const PRIVATE = 'holds an IPv4 address, and 10.0.0.1 is in 10.0.0.0/8 (private use, RFC 1918)';
const CARRYING: Readonly<Record<string, string>> = {
  '64:ff9b::a00:1': PRIVATE,
  '2002:a00:1::1': PRIVATE,
  // Teredo inverts the address of the client; the second has a private server.
  '2001:0:100:1::f5ff:fffe': PRIVATE,
  '2001:0:a00:1::fefe:fefe': PRIVATE,
  '2002:7f00:1::': 'holds an IPv4 address, and 127.0.0.1 is in 127.0.0.0/8 (loopback, RFC 1122)',
};

describe('an address', () => {
  for (const ip of REACHABLE)
    it(`${ip} is reachable from the internet`, () => {
      expect(whyUnreachable(ip)).to.equal(undefined);
    });

  for (const [ip, network] of Object.entries(UNREACHABLE))
    it(`${ip} is not reachable from the internet`, () => {
      expect(whyUnreachable(ip)).to.equal(`${ip} is in ${network}`);
    });

  for (const [ip, why] of Object.entries(CARRYING))
    it(`${ip} is judged by the IPv4 address it carries`, () => {
      expect(whyUnreachable(ip)).to.equal(`${ip} ${why}`);
    });

  for (const ip of ['200::1', '1000::1', '4000::1', 'e000::1', 'fe00::1', '64:ff9a::1', '64:ff9b:0:1::1'])
    it(`${ip}, in space that is not allocated, is not reachable from the internet`, () => {
      expect(whyUnreachable(ip)).to.equal(`${ip} is outside 2000::/3 (global unicast, RFC 4291)`);
    });
});
