/**
 * `npm run bench -- caches`: nginx gives lists from the cache of deploy/nginx/gsls.conf, in gzip and as 304, and the
 * same nginx gives a file of the same bytes. It also counts how many requests are left for the replica.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { has } from '../../test/support/needs.ts';
import { shippedNginx, startNginx } from '../../test/support/nginx.ts';
import { ask, type TestAnswer } from '../../test/support/ask.ts';
import { until } from '../../test/support/until.ts';
import { runLoad, type LoadResult } from '../support/load.ts';
import { median } from '../support/median.ts';
import { fill, openListedRegistry } from '../support/open-registry.ts';
import { readOptions } from '../support/options.ts';
import { atPace } from '../support/pace.ts';
import { HOST, startRedis, startService } from '../support/processes.ts';
import { gameServerNumber } from '../support/requests.ts';
import { printResult, tableOf } from '../support/table.ts';

const options = readOptions('caches', {
  servers: [10_000, 'game servers that are listed'],
  changes: [100, 'a second'],
  connections: [32, 'of the readers'],
  seconds: [3, 'each measurement lasts'],
  rounds: [7, 'of each in turn, of which the median counts'],
  json: [false, 'for programs'],
});
if (!has('nginx')) throw new Error('nginx is not installed');

const GZIP = { 'Accept-Encoding': 'gzip' };
const PATH = '/';

const folder = mkdtempSync(join(tmpdir(), 'gsls-bench-'));
const redis = await startRedis();
const open = await openListedRegistry(redis.port);
const listed = await fill(open.registry, options.servers);
const service = await startService({
  flags: [`--redis=redis://${HOST}:${redis.port}`, '--log-level=error', '--list-max-age=1000'],
});
const [port, filePort] = [await freePort(), await freePort()];
const read = (from: number, headers = {}): Promise<TestAnswer> =>
  ask({ host: HOST, port: from }, `GET ${PATH}`, { headers: { ...GZIP, ...headers } });
writeFileSync(join(folder, 'list.gz'), (await read(service.port)).bytes);
const nginx = startNginx(
  join(folder, 'nginx'),
  `${shippedNginx({ port, replicaPorts: [service.port], cache: join(folder, 'cache'), isCaching: true })}
  server {
    listen ${HOST}:${filePort};
    keepalive_requests 100000;
    location = / {
      root ${folder};
      try_files /list.gz =404;
      default_type application/json;
      add_header Content-Encoding gzip;
    }
  }`,
);
await until(async () => (await read(port).catch(() => undefined))?.status === 200, nginx);

/** How many lists the replica has been asked for. */
async function listsOfReplica(): Promise<number> {
  const { text } = await ask(service, 'GET /metrics');
  const counts = [
    ...text.matchAll(/^gsls_http_request_duration_seconds_count\{[^}]*route="\/"[^}]*\} (\d+)$/gm),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function measure(from: number, isKnown: boolean): Promise<LoadResult> {
  const tag = (await read(from)).headers.etag!;
  const headers = { ...GZIP, ...(isKnown && { 'If-None-Match': tag }) };
  return runLoad({
    url: `http://${HOST}:${from}`,
    requests: [{ method: 'GET', path: PATH, headers, body: '' }],
    seconds: options.seconds,
    connections: options.connections,
  });
}

interface Row {
  readonly name: string;
  readonly cache: number;
  readonly file: number;
  readonly times: number;
  readonly cacheP99Ms: number;
  readonly fileP99Ms: number;
  readonly toReplica: number;
  readonly errors: number;
}

const perSecond = ({ requests, seconds }: LoadResult): number => requests / seconds;

/** `changes`: how many a second. */
async function compare(name: string, isKnown: boolean, changes: number): Promise<Row> {
  const stop = atPace(changes, (sent) => {
    const { id, n } = listed[(sent * 7919) % listed.length]!;
    open.registry.ping(id, gameServerNumber(n, sent % 32)).catch(() => undefined);
  });
  const rounds: { readonly cache: LoadResult; readonly file: LoadResult; readonly toReplica: number }[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const before = await listsOfReplica();
    const cache = await measure(port, isKnown);
    const toReplica = ((await listsOfReplica()) - before) / cache.seconds;
    rounds.push({ cache, toReplica, file: await measure(filePort, isKnown) });
  }
  stop();
  const of = (what: (round: (typeof rounds)[number]) => number): number => median(rounds.map(what));
  return {
    name,
    cache: of((round) => perSecond(round.cache)),
    file: of((round) => perSecond(round.file)),
    times: of((round) => perSecond(round.cache) / perSecond(round.file)),
    cacheP99Ms: of((round) => round.cache.p99Ms),
    fileP99Ms: of((round) => round.file.p99Ms),
    toReplica: of((round) => round.toReplica),
    errors: of((round) => round.cache.errors + round.file.errors),
  };
}

const rows = [
  await compare('list, gzip', false, 0),
  await compare('list, 304', true, 0),
  await compare(`list, gzip, ${options.changes} changes/s`, false, options.changes),
];
await nginx.stop('SIGTERM');
await service.stop();
await open.close();
await redis.stop();
rmSync(folder, { recursive: true });

printResult(options.json, rows, () =>
  [
    `${options.servers} game servers, ${options.connections} connections`,
    '',
    ...tableOf(rows, [
      ['case', ({ name }) => name],
      ['cache, req/s', ({ cache }) => cache.toFixed(0)],
      ['file, req/s', ({ file }) => file.toFixed(0)],
      ['× file', ({ times }) => times.toFixed(2)],
      ['p99, cache', ({ cacheP99Ms }) => `${cacheP99Ms.toFixed(1)} ms`],
      ['p99, file', ({ fileP99Ms }) => `${fileP99Ms.toFixed(1)} ms`],
      ['req/s to the replica', ({ toReplica }) => toReplica.toFixed(1)],
      ['errors', ({ errors }) => errors],
    ]),
    '',
  ].join('\n'),
);
