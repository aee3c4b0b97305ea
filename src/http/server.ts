/** The socket side: limits and timeouts of Node's HTTP server, draining. */

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../errors.ts';
import { MAX_HEADER_BYTES, refuse, refuseBroken, type HttpSocket } from './refusal.ts';
import { isAwaited, watchForStandstills } from './process-pause.ts';

export interface HttpServerOptions {
  readonly listener: RequestListener;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Aborted once no client should count on its connection any more: each is closed after its next answer. */
  readonly stopping: AbortSignal;
}

export interface HttpServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** Stops accepting, lets running requests finish, closes connections as they fall idle, all of them after `limitMs`. */
  close(limitMs: number): Promise<void>;
}

/** A whole request must arrive within this, its headers within the next. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 5000;
const TIMEOUT_CHECK_INTERVAL_MS = 1000;
/** Longer than a load balancer's idle time (commonly 60 s), or it meets connections that are just closing. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** Nothing moved for so long in the middle of an exchange. Longer than a reader may pause (answers-in-flight.ts). */
const STALLED_TIMEOUT_MS = 150_000;
const IDLE_CHECK_INTERVAL_MS = 50;

/** Listens. Rejects with Node's error when the address cannot be had. */
export async function startHttpServer({
  listener,
  host,
  port,
  stopping,
}: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Checked by the application, which answers with a body.
    requireHostHeader: false,
  });
  const sockets = new Set<HttpSocket>();
  server.on('connection', (socket: HttpSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const standstills = watchForStandstills();
  const onRequest: RequestListener = (request, response) => {
    // After an Upgrade that is ignored Node's parser keeps silent about what it finds wrong.
    if (stopping.aborted || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (!standstills.hasJustEnded()) listener(request, response);
    else
      void isAwaited(request).then((yes) => (yes ? listener(request, response) : request.socket.destroy()));
  };
  stopping.addEventListener('abort', () => {
    for (const { _httpMessage: response } of sockets)
      if (response?.headersSent === false) response.shouldKeepAlive = false;
  });
  server.timeout = STALLED_TIMEOUT_MS;
  server.on('request', onRequest);
  // Who is to be told to go on is told when the body is wanted (body.ts).
  server.on('checkContinue', onRequest);
  // An expectation we do not know may be ignored (RFC 9110 section 10.1.1); Node would answer without a body.
  server.on('checkExpectation', onRequest);
  server.on('connect', (_request, socket: Duplex) => refuse(socket as Socket, new ServiceError('not_found')));
  server.on('clientError', (error, socket) => refuseBroken(error, socket as HttpSocket));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Told no host, Node listens on both families, or on IPv4 where there is no IPv6.
    server.listen({ port, ...(host !== '::' && { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    standstills.stop();
    throw error;
  });

  return {
    url: urlOf(server.address() as AddressInfo),
    close(limitMs) {
      // Connections made in advance; Node does not count them as idle before their first request.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      return new Promise((resolve) => {
        const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_INTERVAL_MS);
        const limit = setTimeout(() => server.closeAllConnections(), limitMs);
        server.close(() => {
          clearInterval(idleCheck);
          clearTimeout(limit);
          standstills.stop();
          resolve();
        });
      });
    },
  };
}

function urlOf({ address, port }: AddressInfo): string {
  if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
