/**
 * Reads the addresses in a header by which proxies name the client. It reads from the right, because each proxy adds to
 * the right, and what stands to the left of it may be the client's invention.
 */

import { parseIp, type IpAddress } from '../registry/ip.ts';

/** The addresses from right to left, in canonical form; undefined for an element that is no address. */
export type ReadAddresses = (text: string) => Generator<IpAddress | undefined>;

/**
 * How a header of this name is read: `Forwarded` (RFC 7239) has a syntax of its own, all others are lists of addresses.
 */
export function createReadAddresses(header: string): ReadAddresses {
  const nodeOf = header.toLowerCase() === 'forwarded' ? forwardedFor : (element: string) => element;
  return function* (text) {
    for (const element of partsFromTheRight(text, ',')) yield parseNode(nodeOf(element).trim());
  };
}

/** What stands between the separators. A separator in a quoted string is text. */
function* partsFromTheRight(text: string, separator: ',' | ';'): Generator<string> {
  let end = text.length;
  let isQuoted = false;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    if (text[at] === '"' && !(isQuoted && isEscaped(text, at))) isQuoted = !isQuoted;
    if (text[at] === separator && !isQuoted) {
      yield text.slice(at + 1, end);
      end = at;
    }
  }
  yield text.slice(0, end);
}

/** Whether an odd number of backslashes stands before the character. */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

/** The one `for` of an element such as `for="[2001:db8::7]:4711";proto=https`, without quotes. '' if it is not one. */
function forwardedFor(element: string): string {
  const values = [...partsFromTheRight(element, ';')].flatMap((pair) => {
    const [, quoted, bare] = /^\s*for\s*=\s*(?:"([^"]*)"|([^"]*))$/i.exec(pair.trimEnd()) ?? [];
    return quoted ?? bare ?? [];
  });
  return values.length === 1 ? values[0]! : '';
}

/** An address, with or without a port; an IPv6 address in brackets or without them. */
function parseNode(node: string): IpAddress | undefined {
  const [, ipv6, ipv4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i.exec(node) ?? [];
  return parseIp(ipv6 ?? ipv4 ?? node);
}
