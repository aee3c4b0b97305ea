/**
 * The code that leans on the insides of Node, which no documentation promises. Its tests ask a real server, and fail on
 * a version of Node in which it is otherwise.
 */

import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, Socket } from 'node:net';

/** The response that has the connection: its answer is being made or sent. Undefined between requests. */
export function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Whether the request was sent ahead: its response does not have the connection until earlier ones are sent. */
export function isSentAhead(response: ServerResponse): boolean {
  return response.socket === null;
}

/** Calls `begin` once the response has its connection, at once if it has; never if the connection ends before. */
export function onceItHasConnection(response: ServerResponse, begin: () => void): void {
  if (isSentAhead(response)) response.once('socket', begin);
  else begin();
}

interface HeadInsides {
  readonly _keepAliveTimeout?: number;
  readonly _expect_continue?: boolean;
  _header: string | null;
  _hasBody: boolean;
}

/**
 * How long Node would say that it keeps the connection, in s. Undefined if it has another thing to say of the
 * connection.
 */
export function keptForS(response: ServerResponse): number | undefined {
  const { _keepAliveTimeout: keptMs = 0, _expect_continue: isContinued } = response as unknown as HeadInsides;
  const isPlain = response.shouldKeepAlive && response.req.httpVersionMinor === 1 && isContinued !== true;
  return isPlain && keptMs >= 1000 ? Math.floor(keptMs / 1000) : undefined;
}

/**
 * Takes a head that is ready, its empty line included, in place of one that Node puts together and checks, which costs
 * more than all else of a short answer. The connection has to be kept, and the answer has to say its length, or to have
 * no body.
 */
export function takeHead(response: ServerResponse, status: number, head: string): void {
  const insides = response as unknown as HeadInsides;
  response.statusCode = status;
  if (status === 204 || status === 304) insides._hasBody = false;
  insides._header = head;
}

/** The same with a whole answer of ASCII alone: it takes one write, and Node makes two of a head and a body. */
export function takeWhole(response: ServerResponse, status: number, answer: string): void {
  const insides = response as unknown as HeadInsides;
  response.statusCode = status;
  insides._hasBody = false;
  insides._header = answer;
}

/** Calls `close` where Node would close the connection, after an answer with `Connection: close`. */
export function replaceClosing(socket: Socket, close: () => void): void {
  socket.destroySoon = close;
}

/** Closes the connection after what is written to it, as Node would: also where that was replaced. */
export function closeAfterWrites(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}

/** The server accepts no more connections and closes none: its own close() would close those that are idle. */
export function stopListening(server: Server): void {
  NetServer.prototype.close.call(server);
}

/** Throws away what arrives on the connection from now on: Node's parser reads nothing of it. */
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
