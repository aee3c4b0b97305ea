/**
 * Answers on the bare socket, for what never became a request: they come after the answers to the requests before it,
 * and end the connection.
 */

import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.ts';
import { errorAnswer } from './answer.ts';

/** `_httpMessage` is private, but what Node's own error handler looks at: the response whose turn it is. */
export type HttpSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** What Node's parser says: `reason` in words. */
type ParserError = NodeJS.ErrnoException & { readonly reason?: string };

export const MAX_HEADER_BYTES = 8 * 1024;

/** Those that get an answer already: what the parser says of what follows changes nothing. */
const refused = new WeakSet<Socket>();

/** For Node's `clientError`. */
export function refuseBroken(error: ParserError, socket: HttpSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error);
  else if (!refused.has(socket)) afterEarlierAnswers(socket, () => refuse(socket, parserError(error)));
}

/** Answers and closes. */
export function refuse(socket: Socket, error: ServiceError): void {
  refused.add(socket);
  const { status, headers, body } = errorAnswer(error);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.on('error', () => socket.destroy());
  socket.write(`${lines.join('\r\n')}\r\n\r\n${String(body)}`);
  socket.destroySoon();
}

/** A request that is broken itself has no answer to wait for, unless it was given one before it had arrived. */
function afterEarlierAnswers(socket: HttpSocket, answer: () => void): void {
  refused.add(socket);
  const response = socket._httpMessage;
  if (!socket.writable) socket.destroy();
  else if (!response || (!response.req.complete && !response.headersSent)) answer();
  else {
    const next = response.req.complete
      ? () => afterEarlierAnswers(socket, answer)
      : () => socket.destroySoon();
    response.once('finish', next);
  }
}

/** What Node's parser found wrong, in our words. */
function parserError(error: ParserError): ServiceError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headers_too_large', {
        message: `the request line and headers are larger than ${MAX_HEADER_BYTES} bytes`,
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('body_too_large', { message: 'the chunk extensions are too large' });
    case 'HPE_INVALID_VERSION':
      // A line that ends in LF alone has the same code.
      if (error.reason !== 'Invalid HTTP version') break;
      return new ServiceError('http_version_not_supported');
    // The preface of HTTP/2.
    case 'HPE_PAUSED_H2_UPGRADE':
      return new ServiceError('http_version_not_supported');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('request_timeout');
  }
  return new ServiceError('invalid_request', { message: 'this is not a well-formed HTTP request' });
}
