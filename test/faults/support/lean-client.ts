/**
 * A client that costs next to nothing, for hundreds of thousands of requests: one connection, one request at a
 * time, no more HTTP than our own answers need.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Address } from './requests.ts';

export interface LeanAnswer {
  readonly status: number;
  readonly stale: boolean;
  readonly text: string;
}

export class LeanClient {
  readonly #socket: Socket;
  #received = '';
  #resolve: ((answer: LeanAnswer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (part: string) => {
      this.#received += part;
      this.#take();
    });
    const fail = (error?: Error): void => this.#reject?.(error ?? new Error('the connection was closed'));
    socket.on('error', fail);
    socket.on('close', () => fail());
  }

  get(path: string): Promise<LeanAnswer> {
    return this.#ask(`GET ${path} HTTP/1.1\r\nHost: gsls\r\n\r\n`);
  }

  post(path: string, fields: object): Promise<LeanAnswer> {
    const body = JSON.stringify(fields);
    return this.#ask(`POST ${path} HTTP/1.1\r\nHost: gsls\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  }

  close(): void {
    this.#socket.destroy();
  }

  #ask(request: string): Promise<LeanAnswer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(request);
    });
  }

  #take(): void {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const end = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)![1]);
    if (this.#received.length < end) return;
    const text = this.#received.slice(headEnd + 4, end);
    this.#received = this.#received.slice(end);
    this.#resolve!({ status: Number(head.slice(9, 12)), stale: /\r\nwarning: 110/i.test(head), text });
  }
}

export async function connectLean({ host, port }: Address): Promise<LeanClient> {
  const socket = connect(port, host);
  await once(socket, 'connect');
  return new LeanClient(socket);
}

const CONNECTIONS_OF_WARM_UP = 16;
const REQUESTS_OF_WARM_UP = 150;
/** By pid. */
const warm = new Set<number>();

/** Lets a replica answer a few thousand requests, once: a young process grows into its heap, which is no leak. */
export async function warmUp(replica: Address & { readonly pid: number }): Promise<void> {
  if (warm.has(replica.pid)) return;
  warm.add(replica.pid);
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS_OF_WARM_UP }, async () => connectLean(replica)),
  );
  await Promise.all(
    clients.map(async (client) => {
      for (let i = 0; i < REQUESTS_OF_WARM_UP; i += 1) {
        await client.get('/');
        await client.post('/ping', { server_id: 'nobody' });
      }
      client.close();
    }),
  );
}
