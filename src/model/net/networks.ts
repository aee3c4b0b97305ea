/**
 * Networks of IP addresses (CIDR), and sets of them, by which an operator names addresses that are trusted, exempt or
 * banned.
 */

import { groupsOf, ipv4Text, ipv4Within, parseIp } from './ip.ts';

/** A set of addresses. */
export interface Networks {
  /** Whether the set holds this canonical address (parseIp). It never holds '', which is no address. */
  has(ip: string): boolean;
}

/** All addresses that begin with the same bits. */
export interface Network {
  /** The network in canonical form, as in `10.0.0.0/8`. */
  readonly text: string;
  /** Its first address (groupsOf). */
  readonly groups: readonly number[];
  readonly prefixBits: number;
}

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/** Names for well-known networks: those of the package proxy-addr, and `private`. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', PRIVATE],
  ['private', PRIVATE],
]);

/**
 * The set of a list such as `loopback,10.0.0.0/8,2001:db8::1`: names, networks and addresses, separated by commas.
 * Throws an Error whose message completes "<option> …".
 */
export function parseNetworks(text: string): Networks {
  const networks = text
    .split(',')
    .map((part) => part.trim())
    .flatMap((part) => (NAMED.get(part) ?? [part]).map(parseNetwork));
  return {
    has(ip) {
      const groups = groupsOf(ip);
      return networks.some((network) => contains(network, groups));
    },
  };
}

/**
 * A network such as `10.0.0.0/8`, or the network of one address alone. A network of IPv4 addresses mapped into IPv6
 * means the IPv4 network, and no other IPv6 network holds an IPv4 address. A network with bits set behind its prefix is
 * refused, because `10.1.2.3/8` may mean one address or 16 million. Throws an Error whose message completes
 * "<option> …".
 */
export function parseNetwork(text: string): Network {
  const [address, prefix] = split(text);
  const ip = parseIp(address);
  if (ip === undefined)
    throw new Error(
      `must hold networks such as 10.0.0.0/8, addresses or ${[...NAMED.keys()].join(', ')}, not "${text}"`,
    );
  const groups = groupsOf(ip);
  const bits = groups.length * 16;
  const mappedBits = bits === 32 && address.includes(':') ? 96 : 0;
  const prefixBits = prefix === undefined ? bits : Number(prefix) - mappedBits;
  if (prefixBits < 0 || prefixBits > bits)
    throw new Error(`must hold prefixes from ${mappedBits} to ${mappedBits + bits} bits, not "${text}"`);
  const first = groups.map((group, at) => group & maskOf(prefixBits - 16 * at));
  if (first.some((group, at) => group !== groups[at]))
    throw new Error(
      `must hold no network with bits set behind its prefix: write ${textOf(first)}/${prefixBits} or ${ip}, not "${text}"`,
    );
  return { text: `${ip}/${prefixBits}`, groups, prefixBits };
}

/** The network, and the network of the IPv4 addresses in its addresses, if there are any. */
export function withIpv4Within(network: Network): readonly Network[] {
  const within = ipv4Within(network.groups, network.prefixBits);
  return within === undefined
    ? [network]
    : [network, { ...within, text: `${ipv4Text(within.groups)}/${within.prefixBits}` }];
}

/** Whether the network holds the address of these groups (groupsOf). */
export function contains({ groups, prefixBits }: Network, address: readonly number[]): boolean {
  if (groups.length !== address.length) return false;
  for (let at = 0, bits = prefixBits; bits > 0; at += 1, bits -= 16)
    if (((groups[at]! ^ address[at]!) & maskOf(bits)) !== 0) return false;
  return true;
}

/** The mask of the first `bits` of 16. Below 0 it is that of none, and above 16 that of all. */
function maskOf(bits: number): number {
  return (0xffff << (16 - Math.min(Math.max(bits, 0), 16))) & 0xffff;
}

function split(text: string): [address: string, prefix: string | undefined] {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return [address, prefix];
}

function textOf(groups: readonly number[]): string {
  if (groups.length === 2) return ipv4Text(groups);
  return parseIp(groups.map((group) => group.toString(16)).join(':'))!;
}
