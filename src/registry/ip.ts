/** IP addresses in one canonical form: equal addresses are equal strings. Knows nothing else of a game server. */

import { isIP, SocketAddress } from 'node:net';

const MAPPED_IPV4 = '::ffff:';

/**
 * The canonical form of an IPv4 or IPv6 literal: IPv6 compressed and in lower case, an IPv4 address mapped into IPv6 as
 * plain IPv4. Undefined for anything else. That includes an address with a zone (`fe80::1%eth0`), which has no meaning
 * on another machine.
 */
export function parseIp(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  if (family === 0 || text.includes('%')) return undefined;
  const { address } = new SocketAddress({ address: text, family: 'ipv6' });
  const mapped = address.startsWith(MAPPED_IPV4) ? address.slice(MAPPED_IPV4.length) : '';
  return isIP(mapped) === 4 ? mapped : address;
}
