/**
 * The probes over TCP: one connects and closes, the other also requests `GET /`, and accepts any status of HTTP/1. Only
 * the status line of the answer is read: headers, body and redirects do not matter.
 */

import { connect, isIPv6, type OnReadOpts, type Socket } from 'node:net';
import type { Attempt } from './attempt.ts';
import { outcomeOf } from './probe-result.ts';

/** How much is read at a time. */
const READ_BYTES = 1024;

const STATUS_LINE = /^HTTP\/1\.[01] [1-5]\d\d[ \r\n]/;
const STATUS_LINE_BEGINNING = 'HTTP/1.';
const SHORTEST_STATUS_LINE = 'HTTP/1.1 200\r'.length;

/** The outcome is `answered` once the connection is established. */
export function connectTcp(attempt: Attempt): void {
  const socket = open(attempt);
  socket.once('connect', () => attempt.settle('answered'));
  socket.once('error', (error) => attempt.settle(outcomeOf(error)));
}

/** The outcome is `answered` once a status line of HTTP/1 comes. */
export function requestHttp(attempt: Attempt): void {
  let received = '';
  const socket = open(attempt, {
    buffer: Buffer.alloc(READ_BYTES),
    callback(bytes, buffer) {
      received += Buffer.from(buffer.subarray(0, bytes)).toString('latin1');
      if (STATUS_LINE.test(received)) attempt.settle('answered');
      else if (!mayBecomeStatusLine(received)) attempt.settle('other_protocol');
      return !attempt.over.aborted;
    },
  });
  socket.once('connect', () => {
    attempt.settleAtDeadline('other_protocol');
    socket.write(requestTo(attempt));
  });
  socket.once('error', (error) =>
    attempt.settle(socket.bytesWritten === 0 ? outcomeOf(error) : 'other_protocol'),
  );
  socket.once('close', () => attempt.settle('other_protocol'));
}

function open({ target: { ip, port }, over }: Attempt, onread?: OnReadOpts): Socket {
  const socket = connect({ host: ip, port, ...(onread && { onread }) });
  over.addEventListener('abort', () => socket.destroy());
  // An error after the end of the attempt has no other listener.
  socket.on('error', () => undefined);
  return socket;
}

function requestTo({ target: { ip, port } }: Attempt): string {
  const host = `${isIPv6(ip) ? `[${ip}]` : ip}:${port}`;
  return `GET / HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: gsls\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
}

function mayBecomeStatusLine(text: string): boolean {
  return (
    text.length < SHORTEST_STATUS_LINE &&
    STATUS_LINE_BEGINNING.startsWith(text.slice(0, STATUS_LINE_BEGINNING.length))
  );
}
