/**
 * The addresses that can be reached from the internet, by the registries of IANA: the special-purpose addresses of IPv4
 * and IPv6 (https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry, as of 2025),
 * the multicast addresses, and the space that is not allocated.
 */

import { groupsOf } from './ip.ts';
import { contains, parseNetwork, type Network } from './networks.ts';

interface SpecialNetwork extends Network {
  /** The purpose of the network, and the document that defines it. */
  readonly purpose: string;
}

const special = (text: string, purpose: string): SpecialNetwork => ({ ...parseNetwork(text), purpose });

/** Networks that are not globally reachable. Deprecated ones are among them, since no game server can be there. */
const UNREACHABLE: readonly SpecialNetwork[] = [
  special('0.0.0.0/8', 'this network, RFC 791'),
  special('10.0.0.0/8', 'private use, RFC 1918'),
  special('100.64.0.0/10', 'shared by the clients of a provider, RFC 6598'),
  special('127.0.0.0/8', 'loopback, RFC 1122'),
  special('169.254.0.0/16', 'link-local, RFC 3927'),
  special('172.16.0.0/12', 'private use, RFC 1918'),
  special('192.0.0.0/24', 'protocol assignments, RFC 6890'),
  special('192.0.2.0/24', 'documentation, RFC 5737'),
  special('192.88.99.0/24', 'deprecated 6to4 relays, RFC 7526'),
  special('192.168.0.0/16', 'private use, RFC 1918'),
  special('198.18.0.0/15', 'benchmarks, RFC 2544'),
  special('198.51.100.0/24', 'documentation, RFC 5737'),
  special('203.0.113.0/24', 'documentation, RFC 5737'),
  special('224.0.0.0/4', 'multicast, RFC 5771'),
  special('255.255.255.255/32', 'broadcast, RFC 919'),
  special('240.0.0.0/4', 'reserved, RFC 1112'),
  special('::/128', 'no address, RFC 4291'),
  special('::1/128', 'loopback, RFC 4291'),
  special('::/96', 'deprecated IPv4-compatible addresses, RFC 4291'),
  special('64:ff9b:1::/48', 'local translation to IPv4, RFC 8215'),
  special('100::/64', 'discarded, RFC 6666'),
  special('100:0:0:1::/64', 'dummy addresses, RFC 9780'),
  special('2001::/23', 'protocol assignments, RFC 2928'),
  special('2001:db8::/32', 'documentation, RFC 3849'),
  special('3fff::/20', 'documentation, RFC 9637'),
  special('5f00::/16', 'segment routing, RFC 9602'),
  special('fc00::/7', 'private use, RFC 4193'),
  special('fe80::/10', 'link-local, RFC 4291'),
  special('fec0::/10', 'deprecated site-local addresses, RFC 3879'),
  special('ff00::/8', 'multicast, RFC 4291'),
];

/** The parts of those networks that are globally reachable nevertheless. */
const REACHABLE: readonly Network[] = [
  '192.0.0.9', // Port Control Protocol, RFC 7723
  '192.0.0.10', // TURN, RFC 8155
  '2001:1::1', // Port Control Protocol, RFC 7723
  '2001:1::2', // TURN, RFC 8155
  '2001:1::3', // DNS-SD registration, RFC 9665
  '2001:3::/32', // Automatic Multicast Tunneling, RFC 7450
  '2001:4:112::/48', // AS112, RFC 7535
  '2001:20::/28', // ORCHIDv2, RFC 7343
  '2001:30::/28', // drones, RFC 9374
].map(parseNetwork);

/** IPv6 networks whose addresses hold IPv4 addresses. Such an address is as reachable as the one it holds. */
const CARRIERS: readonly (readonly [
  network: Network,
  ipv4Of: (groups: readonly number[]) => readonly number[],
])[] = [
  // NAT64, RFC 6052: the IPv4 address is in the last bits.
  [parseNetwork('64:ff9b::/96'), (groups) => groups.slice(6)],
  // 6to4, RFC 3056: the IPv4 address is behind the first 16 bits.
  [parseNetwork('2002::/16'), (groups) => groups.slice(1, 3)],
  // Teredo, RFC 4380: the client, inverted, is in the last bits; its server is behind the first 32.
  [parseNetwork('2001::/32'), (groups) => groups.slice(6).map((group) => group ^ 0xffff)],
  [parseNetwork('2001::/32'), (groups) => groups.slice(2, 4)],
];

/** The only space from which IPv6 addresses for the internet are allocated. */
const GLOBAL_UNICAST = parseNetwork('2000::/3');

/**
 * The reason why an address is not reachable from the internet, as in "10.1.2.3 is in 10.0.0.0/8 (private use, RFC
 * 1918)"; undefined if it is reachable. The address must be canonical (parseIp).
 */
export function whyUnreachable(ip: string): string | undefined {
  const groups = groupsOf(ip);
  const carriers = CARRIERS.filter(([network]) => contains(network, groups));
  for (const [, ipv4Of] of carriers) {
    const why = whyUnreachable(
      ipv4Of(groups)
        .map((group) => `${group >> 8}.${group & 255}`)
        .join('.'),
    );
    if (why !== undefined) return `${ip} holds an IPv4 address, and ${why}`;
  }
  if (carriers.length > 0 || REACHABLE.some((network) => contains(network, groups))) return undefined;
  const network = UNREACHABLE.find((each) => contains(each, groups));
  if (network !== undefined) return `${ip} is in ${network.text} (${network.purpose})`;
  return groups.length === 2 || contains(GLOBAL_UNICAST, groups)
    ? undefined
    : `${ip} is outside ${GLOBAL_UNICAST.text} (global unicast, RFC 4291)`;
}
