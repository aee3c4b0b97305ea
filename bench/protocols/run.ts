/**
 * `npm run bench -- protocols`: what native documents cost in Redis, in a replica and in the list of their protocol;
 * and how fast that list is served beside heartbeats, against raw node:http that answers with the same bytes.
 */

import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createChallenges } from '../../src/protocols/challenges.ts';
import { linkOf } from '../../src/protocols/ddnet/address.ts';
import { describerOf } from '../../src/protocols/ddnet/server-info.ts';
import { entryIdOf } from '../../src/protocols/identity.ts';
import type { NativeState } from '../../src/registry/native-entries.ts';
import { runLoad } from '../support/load.ts';
import { median } from '../support/median.ts';
import { openListedRegistry, type OpenRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { atPace } from '../support/pace.ts';
import { HOST, startRedis, startService, Worker } from '../support/processes.ts';
import { printResult, tableOf } from '../support/table.ts';
import { readPssBytes } from '../support/usage.ts';
import type { FloorOrder } from './floor-process.ts';

const options = readOptions('protocols', {
  servers: [10_000, 'game servers of the protocol that are listed'],
  bytes: [4096, 'of the document of each'],
  heartbeats: [1000, 'a second beside the readers'],
  connections: [8, 'of the readers'],
  seconds: [4, 'each measurement lasts'],
  rounds: [5, 'of each in turn, of which the median counts'],
  json: [false, 'for programs'],
});

const PATH = '/ddnet/15/servers.json';
const LIFETIME = { ttlMs: 86_400_000, silentBelowMs: 0 };
const SERIAL = 1;
const AT_A_TIME = 100;
/** Documents arrive at a replica in batches. */
const LONGEST_WAIT_MS = 60_000;

/** An info of so many bytes, with as many clients as that takes. */
function documentNumber(n: number): string {
  const client = (i: number) => ({
    name: `player ${n} ${i}`,
    clan: 'clan',
    country: 276,
    score: i,
    is_player: true,
  });
  const info = {
    max_clients: 64,
    max_players: 64,
    passworded: false,
    game_type: 'DDraceNetwork',
    name: `A server with the number ${n}`,
    map: { name: `map ${n % 100}`, sha256: 'a'.repeat(64), size: 100_000 },
    version: '0.6.4, 18.0',
    clients: [] as object[],
    requires_login: false,
  };
  while (JSON.stringify(info).length < options.bytes - 100) info.clients.push(client(info.clients.length));
  return JSON.stringify({
    ...info,
    pad: 'x'.repeat(Math.max(0, options.bytes - JSON.stringify(info).length - 9)),
  });
}

const addressNumber = (n: number) => ({ scheme: 'tw-0.6+udp', ip: HOST, port: 1 + n }) as const;
const secretNumber = (n: number): string => `secret-${n}`;

interface Measured {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly heartbeats: number;
  readonly errors: number;
}

async function announceAll({ registry }: OpenRegistry): Promise<void> {
  const secret = registry.secret.text!;
  for (let from = 0; from < options.servers; from += AT_A_TIME) {
    const numbers = Array.from({ length: Math.min(AT_A_TIME, options.servers - from) }, (_, i) => from + i);
    await Promise.all(
      numbers.map((n) => {
        const document = documentNumber(n);
        const announcement: NativeState = {
          protocol: 'ddnet',
          lifetime: LIFETIME,
          link: linkOf(addressNumber(n)),
          describe: describerOf(document, SERIAL),
          document,
        };
        return registry.nativeEntries.publish(entryIdOf(secret, 'ddnet', secretNumber(n)), announcement, {
          address: HOST,
        });
      }),
    );
  }
}

/** Heartbeats that say nothing new, at this pace until the returned function is called: how many were taken. */
function startHeartbeats(
  url: string,
  secret: string,
): () => { readonly taken: number; readonly refused: number } {
  const challenges = createChallenges({ protocol: 'ddnet', secret: () => secret, now: Date.now });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const counts = { taken: 0, refused: 0 };
  const stop = atPace(options.heartbeats, (sent) => {
    const n = (sent * 7919) % options.servers;
    const { scheme, port } = addressNumber(n);
    const headers = {
      Address: `${scheme}://connecting-address.invalid:${port}`,
      Secret: secretNumber(n),
      'Challenge-Secret': 'challenge',
      'Challenge-Token': challenges.issue(linkOf(addressNumber(n))),
      'Info-Serial': String(SERIAL),
      'Content-Length': '0',
    };
    const sending = httpRequest(
      `${url}/ddnet/15/register`,
      { method: 'POST', agent, headers },
      (response) => {
        if (response.statusCode === 200) counts.taken += 1;
        else counts.refused += 1;
        response.resume();
      },
    );
    sending.on('error', () => (counts.refused += 1));
    sending.end();
  });
  return () => {
    stop();
    agent.destroy();
    return counts;
  };
}

async function measure(url: string, secret: string): Promise<Measured> {
  const stop = startHeartbeats(url, secret);
  const { requests, seconds, p99Ms, errors } = await runLoad({
    url,
    requests: [{ method: 'GET', path: PATH, headers: { 'Accept-Encoding': 'gzip' }, body: '' }],
    seconds: options.seconds,
    connections: options.connections,
  });
  const { taken, refused } = stop();
  return { perSecond: requests / seconds, p99Ms, errors: errors + refused, heartbeats: taken / seconds };
}

/** Once the replica has all documents. */
async function readList(
  url: string,
): Promise<{ readonly plain: number; readonly gzip: Buffer; readonly ms: number }> {
  const giveUpAt = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const beganAt = performance.now();
    const text = await (await fetch(url + PATH, { headers: { 'Accept-Encoding': 'identity' } })).text();
    const ms = performance.now() - beganAt;
    if ((JSON.parse(text) as { servers: unknown[] }).servers.length === options.servers) {
      const gzip = await new Promise<Buffer>((resolve) => {
        httpRequest(url + PATH, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece: Buffer) => pieces.push(piece));
          response.on('end', () => resolve(Buffer.concat(pieces)));
        }).end();
      });
      return { plain: text.length, gzip, ms };
    }
    if (performance.now() > giveUpAt) throw new Error('the list does not become complete');
    await delay(100);
  }
}

const redis = await startRedis();
const usedBytes = async (): Promise<number> =>
  Number(/^used_memory:(\d+)/m.exec(await redis.client.info('memory'))![1]);
const open = await openListedRegistry(redis.port);
const before = await usedBytes();
await announceAll(open);
const inRedis = (await usedBytes()) - before;
const secret = open.registry.secret.text!;

const service = await startService({
  flags: [
    `--redis=redis://${HOST}:${redis.port}`,
    '--log-level=error',
    '--protocols=ddnet',
    '--max-protocol-bytes-per-address=1000000000',
  ],
});
const list = await readList(service.url);
await delay(3000);
const replicaBytes = readPssBytes(service.pid!);

const floor = new Worker(new URL('floor-process.ts', import.meta.url));
const port = await floor.ask<number>({ body: list.gzip } satisfies FloorOrder);
const rounds: { readonly floor: Measured; readonly service: Measured }[] = [];
for (let round = 0; round < options.rounds; round += 1)
  rounds.push({
    floor: await measure(`http://${HOST}:${port}`, secret),
    service: await measure(service.url, secret),
  });
await floor.end();
await service.stop();
await open.close();
await redis.stop();

const of = (whose: 'floor' | 'service', what: 'perSecond' | 'p99Ms' | 'heartbeats' | 'errors'): number =>
  median(rounds.map((round) => round[whose][what]));
const result = {
  servers: options.servers,
  documentBytes: options.bytes,
  redisBytesPerEntry: inRedis / options.servers,
  replicaPssBytes: replicaBytes,
  listPlainBytes: list.plain,
  listGzipBytes: list.gzip.length,
  firstListMs: list.ms,
  listsPerSecond: of('service', 'perSecond'),
  floorPerSecond: of('floor', 'perSecond'),
  timesFloor: median(rounds.map((round) => round.service.perSecond / round.floor.perSecond)),
  heartbeatsPerSecond: of('service', 'heartbeats'),
  errors: of('service', 'errors'),
};
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const lines: readonly (readonly [string, string])[] = [
  ['Redis, for each entry with its document', `${(result.redisBytesPerEntry / 1000).toFixed(2)} kB`],
  ['a replica with all documents and the list in both forms, PSS', mb(result.replicaPssBytes)],
  ['the list, plain', mb(result.listPlainBytes)],
  ['the list, gzip', mb(result.listGzipBytes)],
  ['made and sent for the first time', `${result.firstListMs.toFixed(0)} ms`],
  ['heartbeats a second beside the readers', result.heartbeatsPerSecond.toFixed(0)],
  ['lists a second, gzip', result.listsPerSecond.toFixed(0)],
  ['× raw node:http with the same bytes and heartbeats', result.timesFloor.toFixed(2)],
];
printResult(options.json, result, () =>
  [
    `${options.servers} game servers of DDNet with ${options.bytes} bytes each`,
    '',
    ...tableOf(lines, [
      ['what', ([what]) => what],
      ['measured', ([, value]) => value],
    ]),
    '',
  ].join('\n'),
);
