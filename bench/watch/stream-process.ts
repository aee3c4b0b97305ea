/**
 * A service that tells a scripted list by `GET /changes` as a stream, in the events of the real one: all of it, and
 * then every second the servers whose players have changed. Forked by run.ts with a channel, which gets the port.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inventServers } from '../../src/world/invent-servers.ts';
import { between, createRandom } from '../../src/world/random.ts';

const [count, changesPerS] = process.argv.slice(2).map(Number) as [number, number];
const random = createRandom(1);
const registeredAt = Date.UTC(2026, 0, 1);
const servers = inventServers({ count, now: registeredAt, random }).map(({ fields }, index) => ({
  id: `server-${String(index).padStart(15, '0')}`,
  host: fields.server_host,
  name: fields.server_name,
  port: fields.server_port,
  ip: fields.server_ip,
  players: fields.players,
  max_players: fields.max_players,
  map: fields.map,
  mode: fields.mode,
  version: fields.version,
  region: fields.region,
  password: fields.password,
  tags: fields.tags,
  registered_at: new Date(registeredAt + index).toISOString(),
}));
const readers = new Set<ServerResponse>();
let tag = 0;

function eventOf(told: readonly object[], full: boolean): string {
  tag += 1;
  const data = JSON.stringify({ servers: told, removed: [], full, tag: `t.${tag}` });
  return `id: t.${tag}\nevent: changes\ndata: ${data}\n\n`;
}

const server = createServer((request, response) => {
  if (!request.url!.startsWith('/changes')) {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ status: 'success', servers: [], count: 0, total: count, next: null }));
    return;
  }
  response.setHeader('Content-Type', 'text/event-stream');
  response.write(eventOf(servers, true));
  readers.add(response);
  response.once('close', () => readers.delete(response));
});

setInterval(() => {
  const changed = Array.from({ length: changesPerS }, () => servers[between(0, count - 1, random)]!);
  for (const each of changed) each.players = between(0, each.max_players, random);
  const text = eventOf(changed, false);
  for (const reader of readers) reader.write(text);
}, 1000);

server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
