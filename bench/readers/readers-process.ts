/**
 * Readers that ask for one route as fast as they are answered, in a process of their own: raw sockets that look only
 * for the status and the end of each answer. For run.ts.
 */

import { connect } from 'node:net';
import { HttpConnection } from '../support/http-connection.ts';
import { HOST } from '../support/processes.ts';
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

const HEAD_END = '\r\n\r\n';
/** Bytes. */
const LONGEST_GREETING = 256;

const answers: Record<number, number> = {};
let asked = 0;

process.on('disconnect', () => process.exit());
process.on('message', (order: ReadersOrder | 'report') => {
  if (order === 'report') {
    process.send!({ answers } satisfies ReadersReport);
    return;
  }
  const route = READING_ROUTES.find(({ name }) => name === order.route)!;
  const begin = route.isStream === true ? follow : read;
  for (let n = 0; n < order.connections; n += 1) begin(order, route);
  process.send!('begun');
});

function note(status: number): void {
  answers[status] = (answers[status] ?? 0) + 1;
}

function requestFor({ listed, tag, adminKey }: ReadersOrder, route: ReadingRoute): string {
  asked += 1;
  const headers = [
    `GET ${route.target(asked, listed, tag)} HTTP/1.1`,
    'Host: bench',
    'Accept-Encoding: gzip',
    ...(route.isStream === true ? ['Accept: text/event-stream'] : []),
    ...(route.isAdmin === true ? [`Authorization: Bearer ${adminKey}`] : []),
  ];
  return `${headers.join('\r\n')}\r\n\r\n`;
}

function read(order: ReadersOrder, route: ReadingRoute): void {
  const ask = (): void => connection.send(requestFor(order, route));
  const connection = new HttpConnection(HOST, order.port, ({ status }) => {
    note(status);
    setTimeout(ask, order.pauseMs);
  });
  ask();
}

/** Leaves a stream once it has told something, and comes again on another connection. */
function follow(order: ReadersOrder, route: ReadingRoute): void {
  const socket = connect(order.port, HOST);
  let head = '';
  socket.on('error', () => undefined);
  socket.once('close', () => {
    note(Number(head.slice(9, 12)));
    setTimeout(() => follow(order, route), order.pauseMs);
  });
  socket.once('connect', () => socket.write(requestFor(order, route)));
  socket.on('data', (part) => {
    let told = part.length;
    if (!head.includes(HEAD_END)) {
      head += part.toString('latin1');
      told = head.split(HEAD_END)[1]?.length ?? 0;
    }
    // The greeting of a stream is a short piece of its own.
    if (!head.startsWith('HTTP/1.1 200') || told > LONGEST_GREETING) socket.destroy();
  });
}
