/**
 * Closes a connection whose peer may still be sending, so that the peer gets the last answer (RFC 9112 section 9.6):
 * bytes that it sends are read and dropped for a limited time. If the connection were closed at once, the system would
 * answer those bytes with a reset, and the peer would lose the answer.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { closeAfterWrites, replaceClosing, throwAwayInput } from '../../../runtime/node-internals.ts';

/** How long bytes are dropped once the system has the whole answer. A body of some MB arrives within this time. */
export const LINGER_MS = 1000;

const closing = new WeakSet<Socket>();

/**
 * Prepares the end of an answer to a request that has not arrived as a whole. If Node closes the connection after it,
 * closeLingering() does so instead, unless the rest has arrived by then. If Node keeps it, the rest has LINGER_MS.
 */
export function lingerUnlessComplete(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  replaceClosing(socket, () => {
    if (request.complete) closeAfterWrites(socket);
    else closeLingering(socket);
  });
  response.once('finish', () => {
    setTimeout(() => {
      if (!request.complete) socket.destroy();
    }, LINGER_MS).unref();
  });
}

/** Ends the connection after the bytes written to it, and closes it when the peer has ended it, or after LINGER_MS. */
export function closeLingering(socket: Socket): void {
  if (closing.has(socket) || socket.destroyed) return;
  closing.add(socket);
  // A peer that has sent nothing is not about to send.
  if (socket.bytesRead === 0 || socket.readableEnded) {
    closeAfterWrites(socket);
    return;
  }
  // Node's parser would read those bytes as requests, or report more errors.
  throwAwayInput(socket);
  // A peer that does not read its answers must not send without end meanwhile.
  socket.pause();
  socket.end();
  if (socket.writableFinished) linger(socket);
  else socket.once('finish', () => linger(socket));
}

/** Whether the whole answer was sent, and the connection is open only for bytes that the peer still sends. */
export function isLingering(socket: Socket): boolean {
  return closing.has(socket) && socket.writableFinished;
}

function linger(socket: Socket): void {
  const limit = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(limit));
  socket.once('end', () => socket.destroy());
  socket.resume();
}
