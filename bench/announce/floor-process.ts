/** The floor: the same datagrams and requests by bare sockets and node:http, and nothing that looks at an answer. */

import { createSocket } from 'node:dgram';
import { Agent, request } from 'node:http';

export interface FloorOrder {
  readonly url: string;
  readonly ports: readonly number[];
  readonly queryIntervalMs: number;
  readonly pingIntervalMs: number;
}

const A2S_INFO = Buffer.from('\xff\xff\xff\xffTSource Engine Query\0', 'latin1');
/** As long as that of a game server. Nobody knows its id. */
const BODY = JSON.stringify({ server_id: 'x'.repeat(22), server_name: 'x'.repeat(150), players: 1 });

process.on('disconnect', () => process.exit());
process.on('message', ({ url, ports, queryIntervalMs, pingIntervalMs }: FloorOrder) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const inTurn = (intervalMs: number, act: (port: number) => void): void => {
    let done = 0;
    const from = performance.now();
    setInterval(() => {
      const due = ((performance.now() - from) / intervalMs) * ports.length;
      for (; done < due; done += 1) act(ports[done % ports.length]!);
    }, 5);
  };
  inTurn(queryIntervalMs, (port) => {
    const socket = createSocket('udp4');
    socket.once('message', () => socket.close());
    socket.send(A2S_INFO, port, '127.0.0.1');
  });
  inTurn(pingIntervalMs, () => {
    const headers = { 'Content-Type': 'application/json' };
    request(`${url}/ping`, { method: 'POST', agent, headers }, (answer) => answer.resume()).end(BODY);
  });
  process.send!('begun');
});
