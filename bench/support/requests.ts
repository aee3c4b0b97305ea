/** What is asked of every subject: the same game servers and the same requests for all. */

import { Details } from '../../src/model/fields/details.ts';
import type { GameServer } from '../../src/model/game-server.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A game server such as there are many: some 165 bytes in the list. */
export function gameServerNumber(n: number, players = n % 32): GameServer {
  const mode = ['casual', 'ranked', 'hardcore'][n % 3]!;
  return {
    host: `game-${n % 50}.eu.example.com`,
    name: `Server number ${n} [EU] ${mode}`,
    port: 7777 + (n % 100),
    ip: `203.0.${(n >> 8) % 256}.${n % 256}`,
    players,
    maxPlayers: 64,
  };
}

const MAPS = ['de_dust2', 'de_inferno', 'cs_office'];
const REGIONS = ['eu', 'na', 'asia', 'sa'];

/** What it says beyond that: 150 bytes. */
export function detailsNumber(n: number): Details {
  return Details.of({
    map: MAPS[n % 3]!,
    mode: 'competitive',
    version: '1.38.7.9',
    region: REGIONS[n % 4]!,
    password: n % 4 === 0,
    tags: ['ranked', `t${n % 5}`],
    meta: { build: 10_000 + (n % 7), queue: 'solo' },
  });
}

/** A game server that is listed: its id and its number. */
export interface Listed {
  readonly id: string;
  readonly n: number;
}

export function bodyOf(
  { host, name, port, ip, players, maxPlayers, details }: GameServer,
  id?: string,
): string {
  const fields = {
    server_host: host,
    server_name: name,
    server_port: port,
    server_ip: ip,
    players,
    max_players: maxPlayers,
    ...details?.fields,
  };
  return JSON.stringify(id === undefined ? fields : { server_id: id, ...fields });
}

export const listRequest = (headers: Readonly<Record<string, string>> = {}): Request => ({
  method: 'GET',
  path: '/',
  headers,
  body: '',
});

const post = (path: string, body: string): Request => ({
  method: 'POST',
  path,
  headers: { 'Content-Type': 'application/json' },
  body,
});

/** Pings of these in turn that say nothing new. */
export function unchangedPings(listed: readonly Listed[]): Request[] {
  return listed.map(({ id, n }) => post('/ping', bodyOf(gameServerNumber(n), id)));
}

/** Pings that say nothing new, each with the token of an entry that is claimed; it lists 1,000 of them, once. */
export async function pingsWithToken(url: string): Promise<Request[]> {
  const requests: Request[] = [];
  for (let n = 0; n < 1000; n += 1) {
    const headers = { 'Server-Token': 'claim', 'Idempotency-Key': `claimed ${n}` };
    const body = bodyOf(gameServerNumber(n));
    const response = await fetch(`${url}/broadcast`, { method: 'POST', headers, body });
    const { server_id: id = '' } = (await response.json()) as { server_id?: string };
    const ping = post('/ping', bodyOf(gameServerNumber(n), id));
    // The floor gives no token; a text of the same length stands for it.
    const token = response.headers.get('server-token') ?? '-'.repeat(66);
    requests.push({ ...ping, headers: { ...ping.headers, 'Server-Token': token } });
  }
  return requests;
}

/** Pings of these in turn, each with another number of players than the last of the same game server. */
export function changedPings(listed: readonly Listed[]): Request[] {
  const round = (players: number): Request[] =>
    listed.map(({ id, n }) => post('/ping', bodyOf(gameServerNumber(n, players), id)));
  return [...round(41), ...round(42)];
}

export function broadcasts(count: number): Request[] {
  return Array.from({ length: count }, (_, n) => post('/broadcast', bodyOf(gameServerNumber(n))));
}
