/** The service that a client meets in a scene: it receives each request, and leaves the answer to the scene. */

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface ScriptedServiceOptions {
  readonly listens: 'http' | 'https' | 'ipv6';
  /** The path of its URL, such as `/lists/eu`. */
  readonly path: string;
  readonly onRequest: (request: ScriptedRequest) => void;
}

/** The largest body that is read: no client sends more. */
const MOST_BYTES = 1_048_576;

export class ScriptedService {
  readonly #options: ScriptedServiceOptions;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #connections = 0;

  constructor(options: ScriptedServiceOptions) {
    this.#options = options;
  }

  get url(): string {
    const { listens, path } = this.#options;
    const origin = { http: 'http://127.0.0.1', https: 'https://localhost', ipv6: 'http://[::1]' }[listens];
    return `${origin}:${this.#port}${path}`;
  }

  /** How many connections were opened. */
  get connections(): number {
    return this.#connections;
  }

  /** Listens, at the same port each time. */
  async listen(): Promise<void> {
    const { listens, onRequest } = this.#options;
    const take: RequestListener = (incoming, response) => {
      void readText(incoming).then((text) => onRequest(new ScriptedRequest(incoming, response, text)));
    };
    // A connection ends when the client wants it to, or the scene.
    const settings = { keepAliveTimeout: 0, requestTimeout: 0 };
    const server =
      listens === 'https'
        ? createTlsServer({ ...settings, ...CERTIFICATE }, take)
        : createServer(settings, take);
    server.on('connection', (socket: Socket) => {
      this.#connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    // A client that refuses a certificate says so.
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, listens === 'ipv6' ? '::1' : '127.0.0.1', resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Refuses connections, and cuts those that there are. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of incoming as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes <= MOST_BYTES) parts.push(part);
    }
  } catch {
    // The client has given the request up: its body ends here.
  }
  return Buffer.concat(parts).toString();
}

/** A request, and the ways to answer it. */
export class ScriptedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly #response: ServerResponse;
  /** Resolves once the client has all of the answer, or has given up. */
  readonly over: Promise<void>;

  constructor(incoming: IncomingMessage, response: ServerResponse, text: string) {
    this.method = incoming.method!;
    this.url = new URL(incoming.url!, 'http://localhost');
    this.headers = incoming.headers;
    this.text = text;
    this.#response = response;
    this.over = response.closed
      ? Promise.resolve()
      : new Promise((resolve) => response.once('close', () => resolve()));
    response.on('error', () => undefined);
  }

  /** Whether nobody waits for the answer any more, and it was not sent. */
  get isGivenUp(): boolean {
    return this.#response.destroyed && !this.#response.writableFinished;
  }

  /** Whether the request is over after this time at the latest. */
  async isOverWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const isOver = await Promise.race([this.over.then(() => true), isLate]);
    clearTimeout(timer);
    return isOver;
  }

  answer(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): void {
    this.#response.writeHead(status, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) });
    this.#response.end(body);
  }

  /** Begins a body without an end: more of it is written later. */
  begin(headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(200, headers);
    this.#response.flushHeaders();
  }

  /** Resolves once it is on its way, or lost. */
  async write(part: string | Uint8Array): Promise<void> {
    await new Promise<unknown>((resolve) => this.#response.write(part, resolve));
  }

  finish(): void {
    this.#response.end();
  }

  /** Resets the connection, after the bytes that were written. */
  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }

  /** Ends the connection as if all were well. */
  hangUp(): void {
    this.#response.socket?.end();
  }

  /** Promises twice what it writes. `then`: once that is on its way. */
  writeHalf(headers: Readonly<Record<string, string>>, body: string, then: () => void): void {
    this.#response.writeHead(200, { ...headers, 'Content-Length': String(2 * Buffer.byteLength(body)) });
    this.#response.write(body, then);
  }
}

/** Describes a request for people, without secrets. */
export function describeRequest({ method, url }: ScriptedRequest): string {
  return `${method} ${url.pathname}${url.search}`;
}

/** The certificate of the kit: signed by itself, for localhost, and its key is known to everyone. Nobody trusts it. */
const CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUbjjUQEXUScX5G3ElloPSIjuiwC4wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjAxMTkxOVoYDzIxMjYxMTAy
MDExOTE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARZKjJMV1FH19cuLZUGVU6Fmb2VWm/2kQL4cSNeZeTearDS8062q7Vu
z0SMW2uC5By96zet0u55iaLLhxhAxeSIo2kwZzAdBgNVHQ4EFgQUSL/BUHOwNitv
PWp7TFTas3I07D8wHwYDVR0jBBgwFoAUSL/BUHOwNitvPWp7TFTas3I07D8wDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhANuHC4PRGTrCh+YOouEd1jQE7wHuuChpQjekz1jSwA82AiEAsNAAhyzw
gEp9ljrHWUEz9XSLLvy0k2ZX76NxU77MPzQ=
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgNnbQuNHvkncgSFvm
/DBcCYx4fJeuNsgBcSt52tMZyE+hRANCAARZKjJMV1FH19cuLZUGVU6Fmb2VWm/2
kQL4cSNeZeTearDS8062q7Vuz0SMW2uC5By96zet0u55iaLLhxhAxeSI
-----END PRIVATE KEY-----`,
} as const;
