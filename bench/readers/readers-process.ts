/**
 * Readers that ask for one route as fast as they are answered, in a process of their own: raw sockets that look only for
 * the status and the end of each answer. For run.ts.
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Listed } from '../support/requests.ts';
import { READING_ROUTES, type ReadingRoute } from './routes.ts';

export interface ReadersOrder {
  readonly port: number;
  readonly connections: number;
  readonly route: string;
  readonly listed: readonly Listed[];
  readonly tag: string;
  readonly adminKey: string;
  /** Before each connection asks again. */
  readonly pauseMs: number;
}

export interface ReadersReport {
  /** Answers by their status; 0: the connection ended before one. */
  readonly answers: Readonly<Record<number, number>>;
}

const answers: Record<number, number> = {};
let asked = 0;

process.on('disconnect', () => process.exit());
process.on('message', (order: ReadersOrder | 'report') => {
  if (order === 'report') {
    process.send!({ answers } satisfies ReadersReport);
    return;
  }
  const route = READING_ROUTES.find(({ name }) => name === order.route)!;
  for (let n = 0; n < order.connections; n += 1) void read(order, route);
  process.send!('begun');
});

async function read(order: ReadersOrder, route: ReadingRoute): Promise<void> {
  for (;;) {
    await readOn(order, route);
    await delay(order.pauseMs);
  }
}

/** Resolves when the connection is over. */
function readOn({ port, listed, tag, adminKey, pauseMs }: ReadersOrder, route: ReadingRoute): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const ask = (): void => {
    asked += 1;
    const headers = [
      `GET ${route.target(asked, listed, tag)} HTTP/1.1`,
      'Host: bench',
      'Accept-Encoding: gzip',
      ...(route.isStream === true ? ['Accept: text/event-stream'] : []),
      ...(route.isAdmin === true ? [`Authorization: Bearer ${adminKey}`] : []),
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  };
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.once('connect', ask);
    eachAnswer(socket, route.isStream === true, (status) => {
      answers[status] = (answers[status] ?? 0) + 1;
      if (route.isStream === true) socket.destroy();
      else setTimeout(ask, pauseMs);
    });
  });
}

/** Calls back at the end of each answer; of a stream, once it has told something. */
function eachAnswer(socket: Socket, isStream: boolean, onAnswer: (status: number) => void): void {
  let head = '';
  /** Of the body: undefined while the head is read. */
  let left: number | undefined;
  socket.on('data', (part: Buffer) => {
    let start = 0;
    while (start < part.length) {
      if (left === undefined) {
        const before = head.length;
        head += part.toString('latin1', start);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        start += end + 4 - before;
        left = Number(
          /^content-length: (\d+)/im.exec(head)?.[1] ?? (/^HTTP\/1.1 200/.test(head) ? Infinity : 0),
        );
      }
      const taken = Math.min(left, part.length - start);
      start += taken;
      left -= taken;
      // The greeting of a stream is a short piece of its own.
      const isTold = isStream && left === Infinity && taken > 256;
      if (left > 0 && !isTold) return;
      const status = Number(head.slice(9, 12));
      head = '';
      left = undefined;
      onAnswer(status);
      if (isTold) return;
    }
  });
}
