/**
 * The addresses that a game server may announce, checked before they are looked up, by the rules of server.py
 * (checkRequestAddress). People make these mistakes, so each has a sentence on how to correct it.
 */

import { parseIp } from '../../model/net/ip.ts';

const INVALID =
  'The server_address is not valid. A server without a domain name does best without the setting.';
const WITH_PORT = 'The server_address is not valid: it is a name or an address alone, without a port.';
const PRIVATE =
  'The server_address is private or local: nobody can reach it from the internet. ' +
  'Correct the setting, and see that firewall and router let players through.';
const UNICODE = 'The server_address has characters beyond ASCII: write the domain name in punycode.';
const EXAMPLE = 'The server_address is an example value.';

/** The longest domain name, RFC 1035. */
const MOST_LENGTH = 253;
const EXAMPLES = /^game\.minetest\.net$|\.example\.(?:com|net|org)$/;
/** RFC 6761, RFC 6762, and the top level domain that ICANN keeps for private use. */
const PRIVATE_NAMES = /^localhost$|\.(?:localhost|local|internal)$/;
const BAD_CHARACTERS = /[ @#/*"'\t\v\r\n\0]|^-/;
/** A name whose last part begins with a letter. Names without a dot, and short forms of IPv4, are refused. */
const DOMAIN = /.\.\p{L}[^.]*$/u;
/** Multicast and link-local addresses. */
const NEVER_VALID = /^(?:2(?:2[4-9]|3\d)\.|169\.254\.|ff[\da-f]{2}:|fe[89ab][\da-f]:)/;

export function isDomain(address: string): boolean {
  return DOMAIN.test(address);
}

/** The mistake in the address; undefined if there is none. `publicOnly`: whether private names count as one. */
export function whyWrong(address: string, publicOnly: boolean): string | undefined {
  const name = address.toLowerCase();
  const ip = parseIp(name);
  if (EXAMPLES.test(name)) return EXAMPLE;
  if (name.length > MOST_LENGTH || BAD_CHARACTERS.test(name)) return INVALID;
  if (publicOnly && PRIVATE_NAMES.test(name)) return PRIVATE;
  if (ip !== undefined) return NEVER_VALID.test(ip) ? INVALID : undefined;
  if (name.includes(':') && /[.[]/.test(name)) return WITH_PORT;
  if (!isDomain(name)) return INVALID;
  return /[^\0-\x7f]/.test(name) ? UNICODE : undefined;
}
