/**
 * Limits of open connections: of all together, and of each address. A connection too many is closed at once, without an
 * answer. Knows no requests.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../registry/ip.ts';
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
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const ip = peerOf(socket);
    if (ip === undefined || options.isExempt(ip)) return;
    const network = networkOf(ip);
    const before = open.get(network) ?? 0;
    if (before >= mostPerAddress) {
      socket.destroy();
      onClosed('address', ip);
      return;
    }
    open.set(network, before + 1);
    socket.once('close', () => {
      const left = open.get(network)! - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}
