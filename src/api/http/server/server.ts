/** Node's HTTP server: its limits and timeouts, process pauses, and draining at shutdown. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressOf } from '../../../model/address-of.ts';
import { ServiceError } from '../../../model/service-error.ts';
import { responseOn, stopListening } from '../../../runtime/node-internals.ts';
import type { Pulse } from '../../../runtime/pulse.ts';
import { peerOf } from '../client.ts';
import { REPLACED } from '../context.ts';
import type { ErrorLog } from '../error-log.ts';
import { isLingering } from './lingering-close.ts';
import { MAX_HEADER_BYTES, refuse, refuseMalformed } from './refusal.ts';
import { awaitProxyHeaders, type ProxyProtocolOptions } from './proxy-protocol.ts';
import { isAwaited, watchForProcessPauses } from './process-pause.ts';

export interface HttpServerOptions {
  readonly listener: RequestListener;
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /**
   * After the abort, each connection is closed after its next answer. If the reason is REPLACED, no new connections are
   * accepted either: other workers share the port.
   */
  readonly stopping: AbortSignal;
  /** Receives the errors that are answered without the listener. */
  readonly logError: ErrorLog;
  /** Sets limits for the connections of the server. */
  readonly limitConnections?: (server: Server) => void;
  /** Called with the number of open connections when it changes. */
  readonly onConnections?: (open: number) => void;
  /** The proxies that name the client at the beginning of a connection; undefined if none does. */
  readonly proxyProtocol?: ProxyProtocolOptions | undefined;
  /** The pulse of the process. */
  readonly pulse: Pulse;
}

export interface HttpServer {
  /** The address of the server as seen from this machine. */
  readonly url: string;
  /**
   * Stops accepting connections, lets running requests finish and closes each connection when it becomes idle. After
   * `limitMs` it closes all that are left.
   */
  close(limitMs: number): Promise<void>;
}

/** A whole request must arrive within this time. */
const REQUEST_TIMEOUT_MS = 10_000;
/** The headers of a request must arrive within this time. */
const HEADERS_TIMEOUT_MS = 5000;
const TIMEOUT_CHECK_INTERVAL_MS = 1000;
/**
 * How long an idle connection is kept. This is longer than the idle time of load balancers (commonly 60 s), which would
 * otherwise use connections that are just closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/**
 * A connection without traffic for this long in the middle of an exchange is closed. This is longer than the pause that
 * a reader may make (answers-in-flight.ts).
 */
const STALLED_TIMEOUT_MS = 150_000;
const IDLE_CHECK_INTERVAL_MS = 50;
/**
 * How many connections may wait to be accepted. With Node's 511, a wave of game servers that all connect at once has
 * some of them refused, and a load balancer then takes the replica for down. The system may set a lower limit.
 */
const BACKLOG = 4096;

/** Resolves once the server listens. Rejects with Node's error if it cannot listen on the address. */
export async function startHttpServer({
  listener,
  host,
  port,
  stopping,
  logError,
  limitConnections,
  onConnections,
  proxyProtocol,
  pulse,
}: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // request-rules.ts checks the Host header, and refuses with a body.
    requireHostHeader: false,
  });
  /** The open connections, and how many bytes came over each before its first request: a PROXY header. */
  const sockets = new Map<Socket, number>();
  const pauses = watchForProcessPauses(BACKLOG, pulse);
  server.on('connection', (socket: Socket) => {
    pauses.noteConnection();
    // The connection was reset before it was accepted: bytes that came over it would belong to no client.
    if (peerOf(socket) === undefined) {
      socket.destroy();
      return;
    }
    sockets.set(socket, socket.bytesRead - socket.readableLength);
    onConnections?.(sockets.size);
    socket.once('close', () => {
      sockets.delete(socket);
      onConnections?.(sockets.size);
    });
  });
  limitConnections?.(server);
  const closeWaiting = proxyProtocol && awaitProxyHeaders(server, proxyProtocol, logError);
  const onRequest: RequestListener = (request, response) => {
    // After an ignored Upgrade, Node's parser reports no errors any more.
    if (stopping.aborted || request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    if (!pauses.hasJustEnded()) listener(request, response);
    else
      void isAwaited(request).then((yes) => (yes ? listener(request, response) : request.socket.destroy()));
  };
  stopping.addEventListener('abort', () => {
    for (const socket of sockets.keys()) {
      const response = responseOn(socket);
      if (response?.headersSent === false) response.shouldKeepAlive = false;
    }
    if (stopping.reason === REPLACED) stopListening(server);
  });
  server.timeout = STALLED_TIMEOUT_MS;
  server.on('request', onRequest);
  // The 100 Continue is sent when the body is read (body.ts).
  server.on('checkContinue', onRequest);
  // An unknown expectation may be ignored (RFC 9110 section 10.1.1); Node would answer 417 without a body.
  server.on('checkExpectation', onRequest);
  server.on('connect', (request, socket: Duplex) =>
    refuse(socket as Socket, new ServiceError('not_found'), logError, request),
  );
  server.on('clientError', (error, socket) => refuseMalformed(error, socket as Socket, logError));

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // Without a host, Node listens on IPv6 and IPv4, or on IPv4 alone where there is no IPv6.
    server.listen({ port, backlog: BACKLOG, ...(host !== '::' && { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    pauses.stop();
    throw error;
  });

  return {
    url: urlOf(server.address() as AddressInfo),
    close(limitMs) {
      // Connections opened in advance are not idle for Node before their first request.
      for (const [socket, before] of sockets) if (socket.bytesRead === before) socket.destroy();
      closeWaiting?.();
      return new Promise((resolve) => {
        const idleCheck = setInterval(() => {
          server.closeIdleConnections();
          // Node does not count lingering connections as idle.
          for (const socket of sockets.keys()) if (isLingering(socket)) socket.destroy();
        }, IDLE_CHECK_INTERVAL_MS);
        const limit = setTimeout(() => server.closeAllConnections(), limitMs);
        server.close(() => {
          clearInterval(idleCheck);
          clearTimeout(limit);
          pauses.stop();
          resolve();
        });
      });
    },
  };
}

function urlOf({ address, port }: AddressInfo): string {
  if (address === '::' || address === '0.0.0.0') return `http://localhost:${port}`;
  return `http://${addressOf(address, port)}`;
}
