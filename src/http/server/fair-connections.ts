/**
 * Room for a limited number of connections that no address can take for itself: one too many closes another one, of the
 * address that has most. An address that misbehaves rests.
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../registry/ip.ts';
import { parsePeer, peerOf } from '../client.ts';
import type { Pace } from './pace.ts';

export interface FairConnectionsOptions {
  readonly most: number;
  /** How long an address rests: what it opens meanwhile is not read, and ends by the timeout of the server. */
  readonly restMs: number;
  /** When a connection begins to be read. */
  readonly pace: Pace;
  /** ms of a clock that cannot be set. */
  readonly now?: () => number;
}

/** IPv6 addresses count by their network (networkOf). */
export class FairConnections {
  readonly #options: FairConnectionsOptions;
  readonly #now: () => number;
  /** Of each network, the one that was used least recently first. */
  readonly #open = new Map<string, Set<Socket>>();
  /** The ends of the rests that networks have. */
  readonly #rests = new Map<string, number>();
  #count = 0;

  constructor(options: FairConnectionsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  limit(server: Server): void {
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('request', ({ socket }) => this.#note(socket));
  }

  /** Closes all connections of the address, and lets it rest. */
  rest(remoteAddress: string | undefined): void {
    const now = this.#now();
    for (const [network, end] of this.#rests) if (end <= now) this.#rests.delete(network);
    const address = parsePeer(remoteAddress);
    if (address === undefined) return;
    const network = networkOf(address);
    this.#rests.set(network, now + this.#options.restMs);
    for (const socket of this.#open.get(network) ?? []) this.#close(network, socket);
  }

  #add(socket: Socket): void {
    const address = peerOf(socket);
    if (address === undefined) return;
    const network = networkOf(address);
    const sockets = this.#open.get(network) ?? new Set();
    this.#open.set(network, sockets.add(socket));
    this.#count += 1;
    socket.once('close', () => this.#forget(network, socket));
    if (this.#count > this.#options.most) this.#closeOne();
    const isResting = (this.#rests.get(network) ?? -Infinity) > this.#now();
    // Node's parser begins to read after this event.
    queueMicrotask(() => {
      socket.pause();
      if (!isResting)
        this.#options.pace.run(() => {
          if (socket.destroyed) return false;
          socket.resume();
          return true;
        });
    });
  }

  #closeOne(): void {
    const [[network, sockets]] = [...this.#open].toSorted(([, a], [, b]) => b.size - a.size) as [
      [string, Set<Socket>],
    ];
    const [leastUsed] = sockets;
    this.#close(network, leastUsed!);
  }

  #close(network: string, socket: Socket): void {
    this.#forget(network, socket);
    socket.destroy();
  }

  #forget(network: string, socket: Socket): void {
    const sockets = this.#open.get(network);
    if (sockets?.delete(socket) !== true) return;
    this.#count -= 1;
    if (sockets.size === 0) this.#open.delete(network);
  }

  /** It becomes the most recently used one of its network. */
  #note(socket: Socket): void {
    const sockets = this.#open.get(networkOf(peerOf(socket) ?? ''));
    if (sockets?.delete(socket)) sockets.add(socket);
  }
}
