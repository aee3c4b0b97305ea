/**
 * Limits of open connections: of all together, and of each address. A connection too many is closed at once, without an
 * answer.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { ClientCounts } from '../../registry/client-counts.ts';
import { peerOf } from '../client.ts';

/** Which limit a connection was closed for. */
export const CONNECTION_LIMITS = ['all', 'address'] as const;
export type ConnectionLimit = (typeof CONNECTION_LIMITS)[number];

export interface ConnectionLimitsOptions {
  /** Undefined for no limit. */
  readonly most: number | undefined;
  /** By IPv4 address or IPv6 network (networkOf). Undefined for no limit. */
  readonly mostPerAddress: number | undefined;
  /** Whether the limit per address is not for this address (parseIp): that of a proxy, for example. */
  readonly isExempt: (ip: string) => boolean;
  readonly onClosed: (limit: ConnectionLimit, remoteAddress: string | undefined) => void;
}

export function limitConnections(server: Server, options: ConnectionLimitsOptions): void {
  const { most, mostPerAddress, onClosed } = options;
  if (most !== undefined) {
    server.maxConnections = most;
    server.on('drop', (dropped) => onClosed('all', dropped?.remoteAddress));
  }
  if (mostPerAddress === undefined) return;
  const open = new ClientCounts();
  server.on('connection', (socket: Socket) => {
    const ip = peerOf(socket);
    if (ip === undefined || options.isExempt(ip)) return;
    if (open.of(ip) >= mostPerAddress) {
      socket.destroy();
      onClosed('address', ip);
      return;
    }
    open.add(ip);
    socket.once('close', () => open.subtract(ip));
  });
}
