/**
 * `npm run bench:balancer`: what HAProxy pays with deploy/haproxy.cfg, in CPU and memory: it decides how many game
 * servers one load balancer serves. One replica in memory stands behind it.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startSubject } from '../requests/subject-processes.ts';
import { runLoad } from '../support/load.ts';
import { readOptions } from '../support/options.ts';
import { startHaproxy } from '../support/processes.ts';
import { listRequest, unchangedPings, type Request } from '../support/requests.ts';
import { readUsage } from '../support/usage.ts';

const { seconds, count, idle } = readOptions('bench:balancer', {
  seconds: [5, 'each measurement lasts'],
  count: [10_000, 'how many game servers are listed'],
  idle: [5000, 'connections that have sent one ping and stay open'],
});

const CONNECTIONS = 64;
/** Requests that open connections are sent at a time. */
const OPENED_AT_A_TIME = 100;

const subject = await startSubject({ name: 'gsls-memory', count });
const { url, port, pid } = await startHaproxy([subject.port]);

const closing = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, Connection: 'close' },
});
const pings = unchangedPings(subject.listed);
const CASES: Readonly<Record<string, () => Promise<readonly Request[]>>> = {
  'ping, connection kept': async () => pings,
  'ping, new connection each time': async () => pings.map(closing),
  'list, gzip': async () => [listRequest({ 'Accept-Encoding': 'gzip' })],
  'list, 304': async () => [listRequest({ 'If-None-Match': (await fetch(url)).headers.get('etag')! })],
};

for (const [name, create] of Object.entries(CASES)) {
  const requests = await create();
  const before = readUsage(pid).cpuUs;
  const result = await runLoad({ url, requests, seconds, connections: CONNECTIONS });
  const cpuUs = (readUsage(pid).cpuUs - before) / result.requests;
  report(name, {
    'CPU of HAProxy, µs a request': cpuUs.toFixed(1),
    requests: result.requests,
    errors: result.errors,
  });
}

const rss = readUsage(pid).rssBytes;
const sockets: Socket[] = [];
for (let opened = 0; opened < idle; opened += OPENED_AT_A_TIME)
  sockets.push(
    ...(await Promise.all(
      Array.from({ length: OPENED_AT_A_TIME }, () => pingAndStay(pings[opened % pings.length]!)),
    )),
  );
report(`${idle} connections that stay open`, {
  'memory of HAProxy, KB each': ((readUsage(pid).rssBytes - rss) / 1024 / idle).toFixed(1),
});
process.exit(0);

/** Sends one ping, and resolves with the open connection once it is answered. */
async function pingAndStay({ path, body }: Request): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: gsls\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  await once(socket, 'data');
  return socket;
}

function report(name: string, figures: Readonly<Record<string, string | number>>): void {
  const text = Object.entries(figures).map(([what, figure]) => `${what}: ${figure}`);
  process.stdout.write(`${name}: ${text.join(', ')}\n`);
}
