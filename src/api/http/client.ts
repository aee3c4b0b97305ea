/** Finds the client of a request, by its address: the peer of the connection, or the one that trusted proxies name. */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parseIp, type IpAddress } from '../../model/net/ip.ts';
import type { Networks } from '../../model/net/networks.ts';

export interface Client {
  /** The address in canonical form (parseIp). */
  readonly address: IpAddress;
  /**
   * Why the address may be that of a proxy instead of the client; undefined if it is the client's. `untrusted_proxy`:
   * the peer forwards, and is not trusted. `unnamed_client`: a trusted proxy names no readable address in the header.
   */
  readonly doubt?: 'untrusted_proxy' | 'unnamed_client';
}

/** Returns the client of a request; undefined if the connection was gone before its address was read (peerOf). */
export type Clients = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Client | undefined;

export interface ClientsOptions {
  /** The peers whose header is believed; without any, the header is ignored. */
  readonly trustedProxies?: Networks | undefined;
  /** The name of the header in which they name the client. */
  readonly header?: string;
}

/** The peer of a connection, which all its requests share. */
interface Peer {
  readonly client: Client;
  readonly isTrusted: boolean;
}

/**
 * The client is the first address from the right that is not trusted, or the leftmost one if all are. An element that
 * is no address ends the search at the address to its right, a trusted proxy: elements further left have no proof.
 */
export function createClients({ trustedProxies, header = 'X-Forwarded-For' }: ClientsOptions = {}): Clients {
  const peers = new WeakMap<Socket, Peer>();
  const name = header.toLowerCase();
  const readAddresses = createReadAddresses(name);

  function knownPeer(socket: Socket): Peer | undefined {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const address = peerOf(socket);
    if (address === undefined) return undefined;
    const peer = { client: { address }, isTrusted: trustedProxies?.has(address) ?? false };
    peers.set(socket, peer);
    return peer;
  }

  function clientBehind(proxy: IpAddress, text: string): Client {
    let address = proxy;
    for (const next of readAddresses(text)) {
      if (next === undefined) return { address, doubt: 'unnamed_client' };
      address = next;
      if (!trustedProxies!.has(address)) break;
    }
    return { address };
  }

  return ({ headers, socket }) => {
    const peer = knownPeer(socket);
    if (peer === undefined) return undefined;
    const { client, isTrusted } = peer;
    const named = headers[name];
    if (named === undefined && !isForwarded(headers)) return client;
    if (!isTrusted) return { ...client, doubt: 'untrusted_proxy' };
    return named === undefined
      ? { ...client, doubt: 'unnamed_client' }
      : clientBehind(client.address, String(named));
  };
}

/** Whether a header shows, in one of the usual ways, that a proxy forwards the request. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers.forwarded !== undefined ||
    headers['x-real-ip'] !== undefined ||
    headers.via !== undefined
  );
}

const addresses = new WeakMap<Socket, IpAddress>();

/**
 * The address of the other end of a connection, in canonical form; of the client that a proxy has named (namePeer).
 * Call this when the connection opens: once the peer has reset it, the system does not know the address any more, and
 * the result is undefined.
 */
export function peerOf(socket: Socket): IpAddress | undefined {
  const known = addresses.get(socket) ?? parsePeer(socket.remoteAddress);
  if (known !== undefined) addresses.set(socket, known);
  return known;
}

/** A proxy has named the client of the connection: that is its peer from now on (proxy-protocol.ts). */
export function namePeer(socket: Socket, client: IpAddress): void {
  addresses.set(socket, client);
}

/** The canonical form of an address from the system, which has a zone for a link-local peer, as in fe80::1%eth0. */
export function parsePeer(remoteAddress = ''): IpAddress | undefined {
  return parseIp(remoteAddress.replace(/%.*/, ''));
}

/** The addresses in a header from right to left, in canonical form; undefined for an element that is no address. */
type ReadAddresses = (text: string) => Generator<IpAddress | undefined>;

/**
 * A reader for the header of this name, by which proxies name the client. `Forwarded` (RFC 7239) has a syntax of its
 * own; all others are lists of addresses. They are read from the right: each proxy adds to the right, and the elements
 * further to the left may be inventions of the client.
 */
function createReadAddresses(header: string): ReadAddresses {
  const nodeOf = header.toLowerCase() === 'forwarded' ? forwardedFor : (element: string) => element;
  return function* (text) {
    for (const element of partsFromTheRight(text, ',')) yield parseNode(nodeOf(element).trim());
  };
}

/** The parts between the separators. A separator in a quoted string is text. */
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

/** The value of the one `for` of an element such as `for="[2001:db8::7]:4711";proto=https`; '' if there is not one. */
function forwardedFor(element: string): string {
  const values = [...partsFromTheRight(element, ';')].flatMap((pair) => {
    const [, quoted, bare] = /^\s*for\s*=\s*(?:"([^"]*)"|([^"]*))$/i.exec(pair.trimEnd()) ?? [];
    return quoted ?? bare ?? [];
  });
  return values.length === 1 ? values[0]! : '';
}

/** The address of a node, which may have a port; an IPv6 address may be in brackets. */
function parseNode(node: string): IpAddress | undefined {
  const [, ipv6, ipv4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/i.exec(node) ?? [];
  return parseIp(ipv6 ?? ipv4 ?? node);
}
