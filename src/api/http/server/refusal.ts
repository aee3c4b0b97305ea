/**
 * Error answers on the bare socket, for bytes that Node's parser did not accept as a request. Such an answer follows
 * the answers to earlier requests of the connection, and ends the connection.
 */

import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../../../model/service-error.ts';
import { responseOn } from '../../../runtime/node-internals.ts';
import { errorAnswer, lengthOf } from '../answer.ts';
import { peerOf } from '../client.ts';
import type { ErrorLog } from '../error-log.ts';
import { closeLingering } from './lingering-close.ts';
import { REQUEST_ID_HEADER, createRequestId, requestIdOf } from '../request-id.ts';
import { pathOf } from '../checks/request-rules.ts';
import { traceOf } from '../trace-context.ts';

/** An error of Node's parser: `reason` is its text. */
type ParserError = NodeJS.ErrnoException & { readonly reason?: string };

export const MAX_HEADER_BYTES = 8 * 1024;

/** The sockets that are refused already: later errors of the parser change nothing. */
const refused = new WeakSet<Socket>();

/** The handler of Node's `clientError`. */
export function refuseMalformed(error: ParserError, socket: Socket, logError: ErrorLog): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error);
  else if (!refused.has(socket))
    afterEarlierAnswers(socket, () => refuse(socket, parserError(error), logError, responseOn(socket)?.req));
}

/**
 * Sends the error and closes the connection. `request`: the refused request, if that much was read. The log gets the
 * address of the peer, which may be a proxy.
 */
export function refuse(
  socket: Socket,
  error: ServiceError,
  logError: ErrorLog,
  request?: IncomingMessage,
): void {
  refused.add(socket);
  const requestId = request === undefined ? createRequestId() : requestIdOf(request.headers);
  logError(error, {
    method: request?.method,
    path: request === undefined ? undefined : pathOf(request.url!),
    address: peerOf(socket),
    requestId,
    trace: request && traceOf(request.headers),
  });
  const answer = errorAnswer(error);
  const { status, headers, body } = answer;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
    `Content-Length: ${lengthOf(answer)}`,
    `${REQUEST_ID_HEADER}: ${requestId}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body as string}`);
  closeLingering(socket);
}

/**
 * Calls `answer` after the answers to all earlier requests. A malformed request has no answer to wait for, unless it
 * was answered before all of it had arrived; the connection then ends after that answer.
 */
function afterEarlierAnswers(socket: Socket, answer: () => void): void {
  refused.add(socket);
  const response = responseOn(socket);
  if (!socket.writable) socket.destroy();
  else if (response === undefined || (!response.req.complete && !response.headersSent)) answer();
  else {
    const next = response.req.complete
      ? () => afterEarlierAnswers(socket, answer)
      : () => closeLingering(socket);
    response.once('finish', next);
  }
}

/** The error of Node's parser as a ServiceError. */
function parserError(error: ParserError): ServiceError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', {
        message: `the request line and headers are larger than ${MAX_HEADER_BYTES} bytes`,
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('body_too_large', { message: 'the chunk extensions are too large' });
    case 'HPE_INVALID_VERSION':
      // A line that ends in LF without CR has the same code.
      if (error.reason !== 'Invalid HTTP version') break;
      return new ServiceError('http_version_not_supported');
    // Node reports the preface of HTTP/2 with this code.
    case 'HPE_PAUSED_H2_UPGRADE':
      return new ServiceError('http_version_not_supported');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout');
  }
  return new ServiceError('invalid_request', { message: 'this is not a well-formed HTTP request' });
}
