/** A proxy that notes what clients send, and can spoil an answer of the service. */

import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived, and what the service answered. */
export interface Seen {
  readonly path: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly at: number;
  readonly status: number;
  /** The code of an error. */
  readonly code: string | undefined;
  /** The token that the answer has. */
  readonly issued: string | undefined;
}

export type Fits = (each: Seen) => boolean;

export const isPing: Fits = ({ path }) => path === '/ping';
export const isBroadcast: Fits = ({ path }) => path === '/broadcast';

export class Recorder {
  readonly seen: Seen[] = [];
  readonly #server: Server;
  readonly #target: () => string;
  readonly #waiting = new Set<() => void>();
  /** Takes the answer of the service and sends another one, or none; used once. */
  spoilNext: ((response: ServerResponse) => void) | undefined;
  /** Headers that it adds to each answer. */
  added: Readonly<Record<string, string>> = {};
  /** What the paths of clients begin with: a gateway that takes it off before it forwards them. */
  prefix = '';
  /** The client that it forwards for, as a trusted proxy tells the service. */
  client: string | undefined;

  constructor(target: () => string) {
    this.#target = target;
    this.#server = createServer((incoming, response) => {
      this.#pass(incoming, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The first request after the first `skip` that fits, also if it is still to come. */
  async next(skip: number, fits: Fits): Promise<Seen> {
    for (;;) {
      const found = this.seen.slice(skip).find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await textOf(incoming);
    const { method, url, headers } = incoming;
    if (!url!.startsWith(this.prefix)) throw new Error(`not under ${this.prefix}: ${url!}`);
    const path = url!.slice(this.prefix.length);
    const spoil = this.spoilNext;
    this.spoilNext = undefined;
    const forwarded = this.client === undefined ? headers : { ...headers, 'x-forwarded-for': this.client };
    const passed = request(`${this.#target()}${path}`, { method: method!, headers: forwarded }).end(sent);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const at = Date.now();
    const text = await textOf(answer);
    this.seen.push({
      path,
      key: headers['idempotency-key'] as string | undefined,
      token: headers['server-token'] as string | undefined,
      fields: JSON.parse(sent) as Seen['fields'],
      at,
      status: answer.statusCode!,
      code: (JSON.parse(text) as { readonly code?: string }).code,
      issued: answer.headers['server-token'] as string | undefined,
    });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    if (spoil !== undefined) spoil(response);
    else response.writeHead(answer.statusCode!, { ...answer.headers, ...this.added }).end(text);
  }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
