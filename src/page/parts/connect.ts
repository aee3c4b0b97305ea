/** The addresses of a game server, for people and for their games. */

import type { ListedServer } from '../../model/view/listed-server.ts';

/** The parts of an address. */
type Addressed = Pick<ListedServer, 'id' | 'host' | 'ip' | 'port' | 'name'>;

/** Schemes that run script in the page; the service refuses them as well. */
const SCRIPTS = /^(?:javascript|data|vbscript|blob|file|about):/i;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * The address that opens the game at this server. `template`: an address with the placeholders {ip}, {host}, {port},
 * {id}, {name} and {address}. Undefined if the result is no address, or has another scheme than the template.
 */
export function connectAddress(template: string, server: Addressed): string | undefined {
  const scheme = SCHEME.exec(template)?.[0].toLowerCase();
  if (scheme === undefined || SCRIPTS.test(scheme)) return undefined;
  try {
    const text = template.replaceAll(/\{(ip|host|port|id|name|address)\}/g, (_, name: string, at: number) => {
      const isBeforePort = template.startsWith(':', at + name.length + 2);
      return valueOf(name, server, isBeforePort);
    });
    return new URL(text).protocol === scheme ? text : undefined;
  } catch {
    // The name may be broken Unicode or dots, or the result no address.
    return undefined;
  }
}

function valueOf(
  placeholder: string,
  { ip, host, port, id, name }: Addressed,
  isBeforePort: boolean,
): string {
  const encodeHost = isBeforePort ? encodeAddress : encode;
  switch (placeholder) {
    case 'ip':
      return encodeHost(ip);
    case 'host':
      return encodeHost(host);
    case 'address':
      return `${encodeAddress(ip)}:${port}`;
    default:
      return encode(String({ port, id, name }[placeholder]));
  }
}

/** Throws for dots alone, which would mean another folder in an address. */
function encode(text: string): string {
  if (/^\.{1,2}$/.test(text)) throw new URIError('no part of an address');
  return encodeURIComponent(text);
}

/** An IPv6 address in brackets, with its colons unescaped, so that a port can follow. */
function encodeAddress(text: string): string {
  return /^[\da-f:.]*:[\da-f:.]*$/i.test(text) ? `[${text}]` : encode(text);
}
