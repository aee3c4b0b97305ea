/** Sends packets of many addresses of this machine, as fast as it can, and counts what comes back. */

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

export type ForgerOrder =
  | { readonly order: 'open'; readonly addresses: number }
  | ({ readonly order: 'send'; readonly seconds: number } & Flood);

export interface Flood {
  readonly packet: Uint8Array;
  readonly port: number;
  /** Of all that are open. */
  readonly addresses: number;
}

/** Of one order to send. */
export interface Forged {
  readonly sent: number;
  readonly receivedBytes: number;
  readonly seconds: number;
}

/** What came back is read after so many. */
const AT_ONCE = 64;

const sockets: Socket[] = [];
let receivedBytes = 0;

// Ends with the process that started it, however that ended.
process.on('disconnect', () => process.exit());
process.on('message', (order: ForgerOrder) => {
  void (order.order === 'open' ? open(order.addresses) : send(order)).then((answer) => process.send!(answer));
});

async function open(addresses: number): Promise<string> {
  for (let n = 0; n < addresses; n += 1) {
    const socket = createSocket('udp4');
    socket.on('message', ({ length }) => (receivedBytes += length));
    socket.on('error', () => undefined);
    socket.bind({ address: `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`, port: 0 });
    await once(socket, 'listening');
    sockets.push(socket);
  }
  return 'done';
}

async function send({
  packet,
  port,
  addresses,
  seconds,
}: Flood & { readonly seconds: number }): Promise<Forged> {
  receivedBytes = 0;
  let sent = 0;
  const beganAt = performance.now();
  const endsAt = beganAt + 1000 * seconds;
  while (performance.now() < endsAt) {
    for (let n = 0; n < AT_ONCE; n += 1, sent += 1)
      sockets[sent % addresses]!.send(packet, port, '127.0.0.1', () => undefined);
    await new Promise(setImmediate);
  }
  return { sent, receivedBytes, seconds: (performance.now() - beganAt) / 1000 };
}
