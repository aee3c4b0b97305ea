/**
 * Limits of open connections: of all together, and of each address. A connection too many is closed at once, without an
 * answer. The connections are counted here because `maxConnections` in a server of node:cluster does not close one too
 * many: it passes it from worker to worker until one has room.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ClientCounts } from '../../../registry/client-counts.ts';
import { peerOf } from '../client.ts';

/** The limit because of which a connection was closed. */
export const CONNECTION_LIMITS = ['all', 'address'] as const;
export type ConnectionLimit = (typeof CONNECTION_LIMITS)[number];

export interface ConnectionLimitsOptions {
  /** Undefined for no limit. */
  readonly most: number | undefined;
  /** The limit for one IPv4 address or IPv6 network (networkOf). Undefined for no limit. */
  readonly mostPerAddress: number | undefined;
  /** Whether this address (parseIp), such as that of a proxy, is exempt from the limit per address. */
  readonly isExempt: (ip: string) => boolean;
  readonly onClosed: (limit: ConnectionLimit, remoteAddress: string | undefined) => void;
}

export function limitConnections(server: Server, options: ConnectionLimitsOptions): void {
  const { most = Infinity, mostPerAddress = Infinity, onClosed } = options;
  if (most === Infinity && mostPerAddress === Infinity) return;
  let open = 0;
  const openOf = new ClientCounts();
  server.on('connection', (socket: Socket) => {
    const ip = peerOf(socket);
    if (ip === undefined) return;
    const counts = mostPerAddress < Infinity && !options.isExempt(ip);
    const limit = open >= most ? 'all' : counts && openOf.of(ip) >= mostPerAddress ? 'address' : undefined;
    if (limit !== undefined) {
      socket.destroy();
      onClosed(limit, ip);
      return;
    }
    open += 1;
    if (counts) openOf.add(ip);
    socket.once('close', () => {
      open -= 1;
      if (counts) openOf.subtract(ip);
    });
  });
}
