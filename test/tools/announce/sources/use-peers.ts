/** Game servers that answer by a script, over UDP and TCP of this machine, and a clock that a test moves. */

import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { QueryKind, Reading } from '../../../../src/tools/announce/sources/game-state.ts';
import { createQuery, type QueryOptions } from '../../../../src/tools/announce/sources/query.ts';
import type { SourceClock } from '../../../../src/tools/announce/sources/source.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

/** Gives the answers to a datagram, of which it is the one with this number, from 1. */
export type Script = (datagram: Buffer, number: number) => readonly Buffer[];

export interface UdpPeer {
  readonly port: number;
  readonly received: readonly Buffer[];
}

export class Peers {
  clock = new ManualClock();
  readonly #closers: (() => void)[] = [];

  async udp(script: Script, ip = '127.0.0.1', port = 0): Promise<UdpPeer> {
    const socket: UdpSocket = createSocket(ip === '::1' ? 'udp6' : 'udp4');
    socket.on('error', () => undefined);
    socket.bind(port, ip);
    await once(socket, 'listening');
    this.#closers.push(() => socket.close());
    const received: Buffer[] = [];
    socket.on('message', (datagram: Buffer, from) => {
      received.push(datagram);
      for (const each of script(datagram, received.length)) socket.send(each, from.port, from.address);
    });
    return { port: socket.address().port, received };
  }

  async tcp(onConnection: (socket: Socket) => void): Promise<{ readonly port: number }> {
    const server: Server = createServer((socket) => {
      socket.on('error', () => undefined);
      this.#closers.push(() => socket.destroy());
      onConnection(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#closers.push(() => server.close());
    return { port: (server.address() as AddressInfo).port };
  }

  /** Asks once, within 3 s of the clock. */
  ask(
    kind: QueryKind,
    port: number,
    { host = '127.0.0.1', ...options }: Partial<QueryOptions> & { readonly host?: string } = {},
  ): Promise<Reading> {
    const source = createQuery(
      kind,
      { host, port },
      { timeoutMs: 3000, clock: sourceClock(this.clock), random: sevens, ...options },
    );
    return source.read(new AbortController().signal);
  }

  close(): void {
    for (const close of this.#closers.splice(0)) close();
  }
}

/** Call it in a describe block. */
export function usePeers(): Peers {
  const peers = new Peers();
  beforeEach(() => {
    peers.clock = new ManualClock();
  });
  afterEach(() => peers.close());
  return peers;
}

export const sevens = (bytes: number): Buffer => Buffer.alloc(bytes, 7);

export function sourceClock(clock: ManualClock): SourceClock {
  return {
    now: () => clock.now(),
    after(ms, task) {
      const stop = clock.every(ms, async () => {
        stop();
        task();
      });
      return stop;
    },
  };
}
