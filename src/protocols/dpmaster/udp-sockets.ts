/**
 * The UDP sockets of a protocol, one for each address, so that an answer leaves from the address and port that was
 * asked. Packets wait in the system, which drops those beyond its limit. This file knows no protocol.
 */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { UdpPortError } from '../protocol.ts';

/** How many bytes may wait to be read, as far as the system allows it. */
const RECEIVED_BYTES = 1024 * 1024;
/** How many bytes may wait to be sent. */
const SENT_BYTES = 1024 * 1024;

export type UdpReply = (packet: Buffer) => void;

export interface UdpOptions {
  readonly addresses: readonly string[];
  readonly port: number;
  /** Must not throw. */
  readonly receive: (packet: Buffer, from: RemoteInfo, reply: UdpReply) => void;
}

export interface UdpSockets {
  readonly port: number;
  close(): Promise<void>;
}

/** Rejects with a UdpPortError. On a machine without IPv6 the address `::` is skipped. */
export async function openUdpSockets({ addresses, port, receive }: UdpOptions): Promise<UdpSockets> {
  const sockets: Socket[] = [];
  let boundPort = port;
  try {
    for (const address of addresses) {
      const socket = await bind(address, boundPort);
      if (socket === undefined) continue;
      sockets.push(socket);
      boundPort = socket.address().port;
      socket.on('message', (packet, from) => receive(packet, from, replyTo(socket, from)));
    }
  } catch (error) {
    await closeAll(sockets);
    throw new UdpPortError((error as Error).message, { cause: error });
  }
  return { port: boundPort, close: () => closeAll(sockets) };
}

function bind(address: string, port: number): Promise<Socket | undefined> {
  const isIpv6 = isIPv6(address);
  const socket = createSocket({ type: isIpv6 ? 'udp6' : 'udp4', ipv6Only: isIpv6 });
  return new Promise((resolve, reject) => {
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      const hasNoIpv6 = error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL';
      if (address === '::' && hasNoIpv6) resolve(undefined);
      else reject(error);
    });
    socket.bind({ address, port }, () => {
      socket.removeAllListeners('error');
      // The network may report, for example, that nobody listens at the address of an earlier packet.
      socket.on('error', () => undefined);
      socket.setRecvBufferSize(RECEIVED_BYTES);
      resolve(socket);
    });
  });
}

function replyTo(socket: Socket, { port, address }: RemoteInfo): UdpReply {
  return (packet) => {
    if (socket.getSendQueueSize() > SENT_BYTES) return;
    // A packet that cannot be sent is lost, as any packet may be.
    socket.send(packet, port, address, () => undefined);
  };
}

async function closeAll(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(resolve))));
}
