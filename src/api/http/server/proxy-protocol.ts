/**
 * The PROXY protocol, version 2: a proxy that passes bytes, and so writes no header of HTTP, names the client at the
 * beginning of each connection (https://www.haproxy.org/download/2.8/doc/proxy-protocol.txt, section 2.2).
 */

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { parseIp, type IpAddress } from '../../../model/net/ip.ts';
import type { Networks } from '../../../model/net/networks.ts';
import { ServiceError } from '../../../model/service-error.ts';
import { namePeer, peerOf } from '../client.ts';
import type { ErrorLog } from '../error-log.ts';
import { refuse } from './refusal.ts';

export interface ProxyProtocolOptions {
  /** The proxies, each of whose connections has to begin with a header. Those of all others begin with a request. */
  readonly proxies: Networks;
  /** Gets a proxy whose connection began with something else, which was refused. */
  readonly onRefused?: (proxy: IpAddress) => void;
  /** A connection whose header takes longer is closed. */
  readonly limitMs?: number;
}

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
/** The signature, the version with the command, the family, and the length of the rest. */
const FIXED_BYTES = 16;
/** The rest: addresses, and what else a proxy tells of the client, which nobody reads here. */
const MOST_BYTES = 4096;
const LIMIT_MS = 5000;

const LOCAL = 0x20;
const PROXY = 0x21;
/** The length of an address by its family: TCP over IPv4 and over IPv6. That of the client comes first. */
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 0x11: 4, 0x21: 16 };
/** Two addresses are followed by two ports. */
const PORT_BYTES = 4;

/** A header by which the peer speaks for itself, as a proxy does in its health checks. */
export const OWN_HEADER = Buffer.concat([SIGNATURE, Buffer.from([LOCAL, 0, 0, 0])]);

/**
 * From now on the handlers that the server has for `connection` get one of a proxy only when its header is read;
 * peerOf() is the client then. Returns what closes the connections that still wait for a header.
 */
export function awaitProxyHeaders(
  server: Server,
  { proxies, onRefused, limitMs = LIMIT_MS }: ProxyProtocolOptions,
  logError: ErrorLog,
): () => void {
  const handlers = server.listeners('connection') as ((socket: Socket) => void)[];
  const open = (socket: Socket): void => {
    for (const handler of handlers) handler.call(server, socket);
  };
  const waiting = new Set<Socket>();

  async function openProxied(socket: Socket, proxy: IpAddress): Promise<void> {
    // Node closes it on an error, which no handler hears of yet.
    socket.on('error', () => undefined);
    waiting.add(socket);
    const limit = setTimeout(() => socket.destroy(), limitMs);
    const header = await readHeader(socket);
    clearTimeout(limit);
    waiting.delete(socket);
    if (header === undefined || socket.destroyed) socket.destroy();
    else if (header.flaw !== undefined) {
      const message = `a connection from a proxy has to begin with a PROXY header of version 2 here (--proxy-protocol), and this one ${header.flaw}`;
      refuse(socket, new ServiceError('invalid_request', { message }), logError);
      onRefused?.(proxy);
    } else {
      if (header.client !== undefined) namePeer(socket, header.client);
      open(socket);
    }
  }

  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const proxy = peerOf(socket);
    if (proxy !== undefined && proxies.has(proxy)) void openProxied(socket, proxy);
    else open(socket);
  });
  return () => {
    for (const socket of waiting) socket.destroy();
  };
}

interface Header {
  /** Undefined if the peer speaks for itself. */
  readonly client?: IpAddress;
  /** Why a connection has no header that can be used. */
  readonly flaw?: string;
}

/** Resolves with undefined if the connection ends first. */
async function readHeader(socket: Socket): Promise<Header | undefined> {
  const fixed = await readBytes(socket, FIXED_BYTES);
  if (fixed === undefined) return undefined;
  if (!fixed.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    return { flaw: fixed.toString('latin1').startsWith('PROXY ') ? 'has version 1' : 'has none' };
  const [command, family, length] = [fixed[12]!, fixed[13]!, fixed.readUInt16BE(14)];
  if (command !== LOCAL && command !== PROXY) return { flaw: 'has another version' };
  if (length > MOST_BYTES) return { flaw: `has one of more than ${FIXED_BYTES + MOST_BYTES} bytes` };
  const addressBytes = ADDRESS_BYTES[family] ?? 0;
  if (command === PROXY && (addressBytes === 0 || length < 2 * addressBytes + PORT_BYTES))
    return { flaw: 'names no client of TCP' };
  const rest = await readBytes(socket, length);
  if (rest === undefined || command === LOCAL) return rest && {};
  return { client: addressIn(rest.subarray(0, addressBytes)) };
}

/** Resolves with this many bytes, once they have arrived; undefined if the connection ends before. */
function readBytes(socket: Socket, length: number): Promise<Buffer | undefined> {
  if (length === 0) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve) => {
    const read = (): void => {
      const bytes = socket.read(length) as Buffer | null;
      if (bytes === null && !socket.readableEnded && !socket.destroyed) return;
      for (const event of ['readable', 'end', 'close']) socket.off(event, read);
      resolve(bytes?.length === length ? bytes : undefined);
    };
    for (const event of ['readable', 'end', 'close']) socket.on(event, read);
    read();
  });
}

/** The address of 4 or 16 bytes. */
function addressIn(bytes: Buffer): IpAddress {
  const text = bytes.length === 4 ? bytes.join('.') : bytes.toString('hex').replace(/(.{4})(?=.)/g, '$1:');
  return parseIp(text)!;
}
