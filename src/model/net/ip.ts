/**
 * IP addresses in one canonical form: equal addresses are equal strings. The page reads addresses with the same code as
 * the service, so nothing here needs Node.
 */

/** The text of an IP address, never ''. Only parseIp() turns an arbitrary text into one. */
export type IpAddress = `${string}.${string}` | `${string}:${string}`;

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;
const IPV6_CHARACTERS = /^[\da-f:.]+$/i;
/** An IPv4 address behind zeros, or mapped into IPv6, in the form of URLs. */
const IPV4_IN_IPV6 = /^::(ffff:)?([\da-f]{1,4}:[\da-f]{1,4})$/;

/**
 * The canonical form of an IPv4 or IPv6 literal: IPv6 compressed and in lower case, an IPv4 address mapped into IPv6 as
 * plain IPv4. Undefined for anything else. That includes an address with a zone (`fe80::1%eth0`), which has no meaning
 * on another machine.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (IPV4.test(text)) return text as IpAddress;
  if (!text.includes(':') || !IPV6_CHARACTERS.test(text)) return undefined;
  let address: string;
  try {
    address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [, mapped, groups] = IPV4_IN_IPV6.exec(address) ?? [];
  if (groups === undefined) return address as IpAddress;
  return `${mapped === undefined ? '::' : ''}${ipv4Text(groups.split(':').map(parseGroup))}` as IpAddress;
}

/** A canonical address (parseIp) as groups of 16 bits: 2 of them for IPv4, 8 for IPv6. */
export function groupsOf(ip: string): readonly number[] {
  const [head, tail] = ip.split('::') as [string, string?];
  const first = writtenGroups(head);
  if (tail === undefined) return first;
  const last = writtenGroups(tail);
  return [...first, ...[0, 0, 0, 0, 0, 0, 0, 0].slice(first.length + last.length), ...last];
}

/** The groups of a part without `::`. In canonical IPv6, an IPv4 address stands only alone behind `::`. */
function writtenGroups(text: string): readonly number[] {
  if (text === '') return [];
  if (text.includes('.')) {
    const [a, b, c, d] = text.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  }
  return text.split(':').map(parseGroup);
}

function parseGroup(text: string): number {
  return Number.parseInt(text, 16);
}

/** The prefixes before an IPv4 address in an IPv6 address: NAT64 (RFC 6052), 6to4 (RFC 3056), IPv4-compatible. */
const EMBEDDINGS: readonly (readonly number[])[] = [[0x64, 0xff9b, 0, 0, 0, 0], [0x2002], [0, 0, 0, 0, 0, 0]];
const MAY_EMBED = /^(?:64:ff9b:|2002:|::)/;

/**
 * The IPv4 address in an IPv6 address (groupsOf), as groups with the number of their bits that count: below 32 for a
 * network of IPv6 addresses with this prefix. Undefined if there is none; IPv4 mapped into IPv6 is plain IPv4 already.
 */
export function ipv4Within(
  groups: readonly number[],
  prefixBits = 128,
): { readonly groups: readonly number[]; readonly prefixBits: number } | undefined {
  if (groups.length !== 8) return undefined;
  const prefix = EMBEDDINGS.find((each) => each.every((group, at) => group === groups[at]));
  const bits = prefixBits - 16 * (prefix?.length ?? 8);
  const ipv4 = groups.slice(prefix?.length, (prefix?.length ?? 0) + 2);
  // No machine has an address in 0.0.0.0/8: `::` and `::1` are no IPv4 addresses.
  return prefix === undefined || bits <= 0 || ipv4[0]! < 0x100
    ? undefined
    : { groups: ipv4, prefixBits: Math.min(bits, 32) };
}

/** The form of a canonical address (parseIp) for comparison: the IPv4 address in it, if there is one. */
export function comparableIp(ip: string): string {
  const within = MAY_EMBED.test(ip) ? ipv4Within(groupsOf(ip)) : undefined;
  return within === undefined ? ip : ipv4Text(within.groups);
}

/** The IPv4 address of two groups. */
export function ipv4Text(groups: readonly number[]): string {
  return groups.map((group) => `${group >> 8}.${group & 255}`).join('.');
}

/**
 * The network that counts as one client in counts per address: an IPv4 address itself, also one in an IPv6 address
 * (comparableIp), and the /64 network of any other IPv6 address, as in `2001:db8:1:2::/64`, because any client with
 * IPv6 has a whole one. The address must be canonical (parseIp).
 */
export function networkOf(ip: string): string {
  const address = comparableIp(ip);
  if (!address.includes(':')) return address;
  const groups = groupsOf(address).slice(0, 4);
  while (groups.at(-1) === 0) groups.pop();
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
