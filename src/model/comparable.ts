/**
 * What is compared of hosts: one form for all that leads to the same place, however it is spelled. Addresses have
 * theirs in ip.ts, and names in fold.ts. It is for comparison alone: what is kept and shown stays as it was sent.
 */

import { isIPv4 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { fold } from './fold.ts';
import type { GameServer } from './game-server.ts';
import { comparableIp, parseIp } from './net/ip.ts';

const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Full stops of other scripts; a wildcard is none of them. */
const FULL_STOPS = /[。．｡]/g;

/** A domain that is its own comparable form. A last label that begins with a digit may be a part of an IPv4 address. */
const PLAIN_DOMAIN = /^(?:[a-z0-9_-]+\.)*[a-z_-][a-z0-9_-]*$/;

/** With any of these a text is no domain, although a URL may have it where the domain is. */
const NOT_IN_DOMAINS = /[\s/\\?#@%:[\]]/;

/**
 * Where a host leads: a domain as it is asked for in the DNS (UTS 46: lower case and punycode), or an address
 * (comparableIp), without a port, a full stop at the end and space around it. Of what is neither, the folded text.
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

/** Host, IP and port, as they are compared where addresses are unique. */
export function comparableAddress({ host, ip, port }: Pick<GameServer, 'host' | 'ip' | 'port'>): string {
  return `${comparableHost(host)}\n${comparableIp(ip)}\n${port}`;
}

/** A comparable host as globs see it: in the characters that people read, because a pattern may have a part of them. */
export function readableHost(comparable: string): string {
  return comparable.includes('xn--') ? fold(domainToUnicode(comparable) || comparable) : comparable;
}

/** The pattern of a ban as it is compared with readable hosts. */
export function readableHostPattern(pattern: string): string {
  if (!/[*?]/.test(pattern)) return readableHost(comparableHost(pattern));
  const labels = pattern.trim().replaceAll(FULL_STOPS, '.').split('.');
  while (labels.at(-1) === '') labels.pop();
  return labels.map((label) => (/^xn--[^*?]+$/i.test(label) && domainToUnicode(label)) || label).join('.');
}

/** Also without what withoutEnd() takes before it. */
function withoutPort(text: string): string {
  const hasOneColon = text.split(':').length === 2;
  return (hasOneColon && withoutEnd(text.replace(/:\d*$/, ''))) || text;
}

/** Without full stops and spaces behind it. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** '' if the text is none. */
function domainOf(text: string): string {
  return NOT_IN_DOMAINS.test(text) ? '' : domainToASCII(text);
}
