/**
 * Hosts in a form for comparison: one form for all spellings that lead to the same place. Addresses have theirs in
 * ip.ts, and names in fold.ts. Hosts are kept and shown as they were sent.
 */

import { isIPv4 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { fold } from './fold.ts';
import type { GameServer } from './game-server.ts';
import { comparableIp, parseIp } from './net/ip.ts';

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** The full stops of other scripts. */
const FULL_STOPS = /[。．｡]/g;

/** A domain that is its own comparable form. A last label that begins with a digit may be a part of an IPv4 address. */
const PLAIN_DOMAIN = /^(?:[a-z0-9_-]+\.)*[a-z_-][a-z0-9_-]*$/;

/** With any of these characters a text is no domain, although a URL may have it where the domain is. */
const NOT_IN_DOMAINS = /[\s/\\?#@%:[\]]/;

/**
 * The comparable form of a host: a domain as the DNS looks it up (UTS 46: lower case and punycode), or an address
 * (comparableIp), without a port, a full stop at the end and space around it. Any other text is folded.
 */
export function comparableHost(host: string): string {
  const lower = host.toLowerCase();
  if (PLAIN_DOMAIN.test(lower) || isIPv4(lower)) return lower;
  const text = host.normalize('NFKC').replaceAll(IGNORABLE, '').replaceAll(FULL_STOPS, '.').trim();
  const body = withoutEnd(text);
  const ip = parseIp(/^\[(.*)\]\.*(?::\d*)?$/.exec(body)?.[1] ?? body);
  if (ip !== undefined) return comparableIp(ip);
  const name = withoutPort(body) || text;
  return domainOf(name) || domainOf(fold(name)) || fold(name);
}

/** Host, IP and port as one text, which is compared where addresses are unique. */
export function comparableAddress({ host, ip, port }: Pick<GameServer, 'host' | 'ip' | 'port'>): string {
  return `${comparableHost(host)}\n${comparableIp(ip)}\n${port}`;
}

/** A comparable host as globs match it: in the characters that people read, since a pattern may hold a part of them. */
export function readableHost(comparable: string): string {
  return comparable.includes('xn--') ? fold(domainToUnicode(comparable) || comparable) : comparable;
}

/** The pattern of a ban in the form that is compared with readable hosts. */
export function readableHostPattern(pattern: string): string {
  if (!/[*?]/.test(pattern)) return readableHost(comparableHost(pattern));
  const labels = pattern.trim().replaceAll(FULL_STOPS, '.').split('.');
  while (labels.at(-1) === '') labels.pop();
  return labels.map((label) => (/^xn--[^*?]+$/i.test(label) && domainToUnicode(label)) || label).join('.');
}

/** The text without its port, and without full stops and spaces before the port. */
function withoutPort(text: string): string {
  const hasOneColon = text.split(':').length === 2;
  return (hasOneColon && withoutEnd(text.replace(/:\d*$/, ''))) || text;
}

/** The text without full stops and spaces at its end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** The text as an ASCII domain; '' if it is no domain. */
function domainOf(text: string): string {
  return NOT_IN_DOMAINS.test(text) ? '' : domainToASCII(text);
}
