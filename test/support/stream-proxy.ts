/**
 * A proxy in front of a service, as a load balancer is: it answers 503 while the service is away. It notes what clients
 * ask for and what they are told, always uncompressed, and can lose all connections.
 */

import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from './listen.ts';

export interface ProxiedRequest {
  readonly path: string;
  readonly lastEventId: string | undefined;
  /** Undefined before the answer. */
  status: number | undefined;
  /** What the service told so far. */
  text: string;
}

/**
 * When a client is to connect again: it is told to do so at once, as no test waits for the seconds that a service says.
 */
const RETRY = /^retry: \d+\n/m;
const SOON = 'retry: 100\n';

export class StreamProxy {
  /** In the order in which they came. */
  readonly requests: ProxiedRequest[] = [];
  /** Whether it takes the service for away, whatever is true. */
  isAway = false;
  readonly #target: () => string;
  readonly #server: Server;

  constructor(target: () => string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => this.#pass(incoming, response));
  }

  /** Resolves with the URL. */
  async start(): Promise<string> {
    await listen(this.#server, '127.0.0.1', 0);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  loseConnections(): void {
    this.#server.closeAllConnections();
  }

  stop(): void {
    this.loseConnections();
    this.#server.close();
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = incoming;
    const lastEventId = headers['last-event-id'] as string | undefined;
    const noted: ProxiedRequest = { path: url!, lastEventId, status: undefined, text: '' };
    this.requests.push(noted);
    const refuse = (): void => {
      noted.status = 503;
      response.writeHead(503).end();
    };
    if (this.isAway) return refuse();
    const passed = request(`${this.#target()}${url!}`, {
      method: method!,
      headers: { ...headers, 'accept-encoding': 'identity' },
      agent: false,
    });
    passed.once('error', refuse);
    passed.once('response', (answer) => {
      noted.status = answer.statusCode!;
      response.writeHead(noted.status, answer.headers).flushHeaders();
      answer.setEncoding('utf8').on('data', (text: string) => {
        noted.text += text;
        response.write(text.replace(RETRY, SOON));
      });
      answer.once('end', () => response.end());
      answer.once('error', () => response.destroy());
    });
    response.once('close', () => passed.destroy());
    incoming.pipe(passed);
  }
}
