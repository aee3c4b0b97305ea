/** IP addresses in one canonical form: equal addresses are equal strings. Knows nothing else of a game server. */

import { isIP, SocketAddress } from 'node:net';

/** The text of an IP address, never ''. Only parseIp() makes one of a text that may be anything. */
export type IpAddress = `${string}.${string}` | `${string}:${string}`;

const MAPPED_IPV4 = '::ffff:';

/**
 * The canonical form of an IPv4 or IPv6 literal: IPv6 compressed and in lower case, an IPv4 address mapped into IPv6 as
 * plain IPv4. Undefined for anything else. That includes an address with a zone (`fe80::1%eth0`), which has no meaning
 * on another machine.
 */
export function parseIp(text: string): IpAddress | undefined {
  const family = isIP(text);
  if (family === 4) return text as IpAddress;
  if (family === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : '';
  return (isIP(mapped) === 4 ? mapped : address) as IpAddress;
}

/** A canonical address (parseIp) as groups of 16 bits: 2 of them for IPv4, 8 for IPv6. */
export function groupsOf(ip: string): readonly number[] {
  const [head, tail] = ip.split('::') as [string, string?];
  const first = writtenGroups(head);
  if (tail === undefined) return first;
  const last = writtenGroups(tail);
  return [...first, ...[0, 0, 0, 0, 0, 0, 0, 0].slice(first.length + last.length), ...last];
}

/** Of a part without `::`. Canonical IPv6 has IPv4 only by itself behind `::`. */
function writtenGroups(text: string): readonly number[] {
  if (text === '') return [];
  if (text.includes('.')) {
    const [a, b, c, d] = text.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  }
  return text.split(':').map((group) => Number.parseInt(group, 16));
}

/**
 * What counts as one client where something is counted per address: an IPv4 address itself, and the /64 network of an
 * IPv6 address, as in `2001:db8:1:2::/64`, because any client with IPv6 has a whole one. Takes a canonical address
 * (parseIp).
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const groups = groupsOf(ip).slice(0, 4);
  while (groups.at(-1) === 0) groups.pop();
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
