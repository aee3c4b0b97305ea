/** The UDP side of a Luanti server, at 127.0.0.1 or ::1: it gives each new client a peer id, as the real one does. */

import { createSocket, type Socket } from 'node:dgram';
import { on, once } from 'node:events';

/** What came, as hex: a client without a peer id, and one that leaves with the peer id 2. */
export const PING = '4f45740300000001';
export const LEAVING = '4f4574030002000003';

/** SET_PEER_ID 2, reliable, from the server: as minetestserver 5.6.1 answers. */
export const ANSWER = '4f45740300010003ffdc00010002';

export interface UdpServer {
  readonly port: number;
  /** The datagrams that have come, as hex. */
  readonly got: readonly string[];
  /** What it answers to each ping; undefined for nothing. */
  answer: string | undefined;
  /** Resolves when this datagram has come, once more. */
  next(hex: string): Promise<void>;
  close(): Promise<void>;
}

export async function startUdpServer(address: '127.0.0.1' | '::1' = '127.0.0.1'): Promise<UdpServer> {
  const socket: Socket = createSocket(address === '::1' ? 'udp6' : 'udp4');
  const got: string[] = [];
  const server = {
    got,
    answer: ANSWER as string | undefined,
    async next(hex: string) {
      for await (const [datagram] of on(socket, 'message') as AsyncIterable<[Buffer]>)
        if (datagram.toString('hex') === hex) return;
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
  socket.on('message', (datagram, { port, address: from }) => {
    got.push(datagram.toString('hex'));
    if (got.at(-1) === PING && server.answer !== undefined)
      socket.send(Buffer.from(server.answer, 'hex'), port, from);
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  return {
    ...server,
    port: socket.address().port,
    get answer() {
      return server.answer;
    },
    set answer(next) {
      server.answer = next;
    },
  };
}
