/** IP addresses in the one form in which the service shows them. */

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6_CHARACTERS = /^[\da-f:.]+$/i;
const WITH_IPV4 = /^::(ffff:)?([\da-f]{1,4}):([\da-f]{1,4})$/;

/**
 * The canonical form of an IPv4 or IPv6 address: IPv6 compressed and in lower case, an IPv4 address mapped into IPv6 as
 * plain IPv4. Undefined for anything else.
 */
export function canonicalIp(text: string): string | undefined {
  if (IPV4.test(text)) return text;
  if (!text.includes(':') || !IPV6_CHARACTERS.test(text)) return undefined;
  let address: string;
  try {
    address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [, mapped, high, low] = WITH_IPV4.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  const bytes = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return `${mapped === undefined ? '::' : ''}${bytes.join('.')}`;
}
