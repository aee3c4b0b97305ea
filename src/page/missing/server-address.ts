/**
 * Reads the address of a game server as a person has it at hand: typed, or pasted from a game, a console or a link.
 * What else such a text holds, a password above all, is left out. Knows no request.
 */

export interface ServerAddress {
  /** A name or an IP address, without brackets. */
  readonly host: string | undefined;
  readonly port: number | undefined;
}

const HIGHEST_PORT = 65_535;

/** What may stand before it: a quotation mark, `steam://connect/`, `connect `, `user@`. */
const BEFORE = /^["']?(?:[a-z][a-z\d+.-]*:\/\/)?(?:[/+]?(?:connect|join)[\s/]+)?(?:[^\s@/]*@)?/i;
const BRACKETED = /^\[([^\]\s]+)\]/;
/** Two colons at least: with one, a port follows it. */
const IPV6 = /^[\da-f]*:[\da-f]*:[\da-f:.]*(?:%\w+)?(?![\w-])/i;
const NAME = /^[^\s:/?#;,"'<>[\]]+/;
/** What may stand between an address and its port, and after it. */
const PORT = /^[\s:,]*(?:port\b[\s:=]*)?(\d+)(?![\w.-])/i;
/** Nothing between them that a person may have meant. */
const END = /^[\s:]*(?:$|[/?#;,"'])/;

/** Undefined for a text that is no address. An empty one has neither host nor port. */
export function parseServerAddress(text: string): ServerAddress | undefined {
  // Pasted texts have signs that nobody sees.
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
