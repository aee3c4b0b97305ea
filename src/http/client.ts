/** Which client sent a request, by its address. Knows nothing of what the client asks for. */

import type { IncomingMessage } from 'node:http';
import { parseIp } from '../registry/ip.ts';

export interface Client {
  /** In canonical form (parseIp). '' if the connection is gone already. */
  readonly address: string;
}

/** Tells the client of a request. */
export type Clients = (request: IncomingMessage) => Client;

/** Takes the peer of the connection for the client. */
export function createClients(): Clients {
  return ({ socket }) => ({ address: parseIp(socket.remoteAddress ?? '') ?? '' });
}
