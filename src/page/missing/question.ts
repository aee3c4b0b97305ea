/**
 * Turns a person's input into a question. The address of a game server is accepted in any form that is at hand: typed,
 * or pasted from a game, a console or a link. Anything else in the text, above all a password, is dropped.
 */

import { addressOf } from '../../model/address-of.ts';
import type { Question } from './asking.ts';

/** A limit above the longest name with any text that may be pasted around it. */
export const LONGEST_ADDRESS = 400;
export const LONGEST_ID = 64;

const EXAMPLE_HOST = 'play.example.com';
const EXAMPLE_PORT = 7777;

/** Undefined if the address has no port and there is no id, or if the address cannot be read. */
export function questionOf(address: string, id: string): Question | undefined {
  const { host, port } = parseServerAddress(address) ?? {};
  const ownId = id.replaceAll(/\p{Cf}/gu, '').trim();
  // An address that cannot be read must not be ignored.
  const isClear = port !== undefined || host !== undefined || address.trim() === '';
  if (!isClear || (port === undefined && ownId === '')) return undefined;
  return {
    ...(host !== undefined && { server_host: host }),
    ...(port !== undefined && { server_port: port }),
    ...(ownId !== '' && { server_id: ownId }),
  };
}

/** An example of how this address could be written. */
export function exampleOf(address: string): string {
  const { host = EXAMPLE_HOST, port = EXAMPLE_PORT } = parseServerAddress(address) ?? {};
  return addressOf(host, port);
}

interface ServerAddress {
  /** A name or an IP address, without brackets. */
  readonly host: string | undefined;
  readonly port: number | undefined;
}

const HIGHEST_PORT = 65_535;

/** The text that may stand before an address: a quotation mark, `steam://connect/`, `connect `, `user@`. */
const BEFORE = /^["']?(?:[a-z][a-z\d+.-]*:\/\/)?(?:[/+]?(?:connect|join)[\s/]+)?(?:[^\s@/]*@)?/i;
const BRACKETED = /^\[([^\]\s]+)\]/;
/** An IPv6 address has at least two colons: behind a single one comes a port. */
const IPV6 = /^[\da-f]*:[\da-f]*:[\da-f:.]*(?:%\w+)?(?![\w-])/i;
const NAME = /^[^\s:/?#;,"'<>[\]]+/;
/** The text that may stand between an address and its port, and the port. */
const PORT = /^[\s:,]*(?:port\b[\s:=]*)?(\d+)(?![\w.-])/i;
/** The end of an address without a port: nothing that a person may have meant follows. */
const END = /^[\s:]*(?:$|[/?#;,"'])/;

/** Undefined for a text that is no address. An empty one has neither host nor port. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  // Pasted texts may hold invisible characters.
  const rest = text
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(BEFORE, '');
  const found = BRACKETED.exec(rest) ?? IPV6.exec(rest) ?? NAME.exec(rest);
  const host = found === null ? undefined : (found[1] ?? found[0]);
  // A number alone is a port.
  if (host === undefined || /^\d+$/.test(host)) return withPort(undefined, rest);
  return withPort(host, rest.slice(found![0].length));
}

function withPort(host: string | undefined, rest: string): ServerAddress | undefined {
  const [, digits] = PORT.exec(rest) ?? [];
  if (digits === undefined) return END.test(rest) ? { host, port: undefined } : undefined;
  const port = Number(digits);
  return port >= 1 && port <= HIGHEST_PORT ? { host, port } : undefined;
}
