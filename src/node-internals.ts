/**
 * What leans on the insides of Node, which no documentation promises: all of it is here. Its tests ask a real server,
 * and fail on a version of Node in which it is otherwise.
 */

import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** The response that has the connection: its answer is being made or sent. Undefined between requests. */
export function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Whether the request was sent ahead: its response does not have the connection until earlier ones are sent. */
export function isSentAhead(response: ServerResponse): boolean {
  return response.socket === null;
}

/** Calls it once the response has its connection, at once if it has; never if the connection ends before. */
export function onceItHasConnection(response: ServerResponse, begin: () => void): void {
  if (isSentAhead(response)) response.once('socket', begin);
  else begin();
}

/** Where Node would close the connection, after an answer with `Connection: close`, it calls this instead. */
export function replaceClosing(socket: Socket, close: () => void): void {
  socket.destroySoon = close;
}

/** Closes the connection after what is written to it, as Node would: also where that was replaced. */
export function closeAfterWrites(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}

/** What arrives on the connection from now on is thrown away: Node's parser reads nothing of it. */
export function throwAwayInput(socket: Socket): void {
  socket.removeAllListeners('data').on('data', () => undefined);
}

/**
 * Writes to it never block. Node makes those to terminals, and to pipes on Windows, block. Returns whether the system
 * did so.
 */
export function unblockWrites(socket: Socket): boolean {
  interface Insides {
    readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => number } | null;
  }
  return (socket as unknown as Insides)._handle?.setBlocking?.(false) === 0;
}
