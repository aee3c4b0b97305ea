/**
 * Which client sent a request, by its address: the peer of the connection, or the client that trusted proxies name.
 * Knows nothing of what the client asks for.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { parseIp } from '../registry/ip.ts';
import type { Networks } from '../registry/networks.ts';
import { createReadAddresses } from './forwarding-header.ts';

export interface Client {
  /** In canonical form (parseIp). '' if the connection is gone already. */
  readonly address: string;
  /**
   * Why the address may be that of a proxy between the client and the service; undefined if it is the client's. Either
   * the peer forwards and is not trusted, or trusted proxies name no readable address in the header of that name.
   */
  readonly doubt?: 'untrusted_proxy' | 'unnamed_client';
}

/** Tells the client of a request. */
export type Clients = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => Client;

export interface ClientsOptions {
  /** The addresses whose header counts; without them no header counts. */
  readonly trustedProxies?: Networks | undefined;
  /** The name of the header in which they name the client. */
  readonly header?: string;
}

/** What is known of a connection, for all its requests. */
interface Peer {
  readonly client: Client;
  readonly isTrusted: boolean;
}

/**
 * The client is the first address from the right that is not trusted, or the leftmost if all are. An element that is no
 * address ends the search at the last address before it: that is a trusted proxy, and what stands further to the left
 * has no proof.
 */
export function createClients({ trustedProxies, header = 'X-Forwarded-For' }: ClientsOptions = {}): Clients {
  const peers = new WeakMap<Socket, Peer>();
  const name = header.toLowerCase();
  const readAddresses = createReadAddresses(name);

  function peerOf(socket: Socket): Peer {
    let peer = peers.get(socket);
    if (peer === undefined) {
      const address = peerAddress(socket.remoteAddress);
      peer = { client: { address }, isTrusted: trustedProxies?.has(address) ?? false };
      peers.set(socket, peer);
    }
    return peer;
  }

  function clientBehind(proxy: string, text: string): Client {
    let address = proxy;
    for (const next of readAddresses(text)) {
      if (next === undefined) return { address, doubt: 'unnamed_client' };
      address = next;
      if (!trustedProxies!.has(address)) break;
    }
    return { address };
  }

  return ({ headers, socket }) => {
    const { client, isTrusted } = peerOf(socket);
    const named = headers[name];
    if (named === undefined && !isForwarded(headers)) return client;
    if (!isTrusted) return { ...client, doubt: 'untrusted_proxy' };
    return named === undefined
      ? { ...client, doubt: 'unnamed_client' }
      : clientBehind(client.address, String(named));
  };
}

/** Whether a proxy says that it forwards the request, in one of the usual ways. */
function isForwarded(headers: IncomingHttpHeaders): boolean {
  return (
    headers['x-forwarded-for'] !== undefined ||
    headers.forwarded !== undefined ||
    headers['x-real-ip'] !== undefined ||
    headers.via !== undefined
  );
}

/** The address of the other end of a connection, in canonical form. '' if the connection is gone already. */
export function peerAddress(remoteAddress = ''): string {
  // Of a link-local peer the system also tells the zone, as in fe80::1%eth0.
  return parseIp(remoteAddress.replace(/%.*/, '')) ?? '';
}
