/**
 * Clients that follow the list by streams in gzip, in a process of their own: raw sockets, so that they cost little.
 * Some lag: they read the head of the answer, and then nothing. For run.ts.
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReadersOrder {
  readonly port: number;
  readonly readers: number;
  readonly lagging: number;
}

export interface ReadersReport {
  readonly bytes: number;
  /** How many pieces were read; an event is one or a few. */
  readonly reads: number;
  /** Readers that were cut off, or never connected. Those that lag come again. */
  readonly lost: number;
  readonly cutOff: number;
}

const OPENED_AT_A_TIME = 50;
const OPENING_PAUSE_MS = 100;
const HEAD =
  'GET /changes HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\nAccept-Encoding: gzip\r\n\r\n';

let bytes = 0;
let reads = 0;
let lost = 0;
let cutOff = 0;

function read(port: number): void {
  const socket = open(port);
  socket.on('data', (part) => {
    bytes += part.length;
    reads += 1;
  });
  socket.once('close', () => (lost += 1));
}

function lag(port: number): void {
  const socket = open(port);
  socket.once('data', () => socket.pause());
  // A connection that is reset says so although it is not read.
  socket.once('close', () => {
    cutOff += 1;
    setTimeout(() => lag(port), 1000);
  });
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(HEAD);
  return socket;
}

process.on('disconnect', () => process.exit());
process.on('message', (order: ReadersOrder | 'report') => {
  if (order === 'report') process.send!({ bytes, reads, lost, cutOff } satisfies ReadersReport);
  else void begin(order);
});

async function begin({ port, readers, lagging }: ReadersOrder): Promise<void> {
  for (let n = 0; n < readers; n += 1) {
    read(port);
    if (n % OPENED_AT_A_TIME === 0) await delay(OPENING_PAUSE_MS);
  }
  for (let n = 0; n < lagging; n += 1) lag(port);
  process.send!('begun');
}
