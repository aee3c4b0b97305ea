/**
 * What is measured, each in a process of its own: a floor (raw node:http doing the least possible), this service
 * on memory and on Redis, and the straightforward rivals. Started by subject-process.ts.
 */

import { createServer, type RequestListener } from 'node:http';
import { Redis } from 'ioredis';
import Koa from 'koa';
import { createConfig } from '../../src/service/config/config.ts';
import { createGameServerId, type GameServer } from '../../src/model/game-server.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import type { Backend } from '../../src/registry/backend.ts';
import { createMetrics } from '../../src/service/metrics/create-metrics.ts';
import { openRateLimits } from '../../src/service/open-rate-limits.ts';
import { createListener } from '../../test/support/create-listener.ts';
import { fill, lifetime, openListedRegistry } from '../support/open-registry.ts';
import { detailsNumber, gameServerNumber, type Listed } from '../support/requests.ts';

export type SubjectName = 'floor' | 'gsls-memory' | 'gsls-redis' | 'rival-hgetall' | 'rival-stringify';

export interface SubjectOptions {
  readonly name: SubjectName;
  /** How many game servers are listed. */
  readonly count: number;
  readonly redisPort?: number;
}

export interface Subject {
  readonly listener: RequestListener;
  /** Some of the game servers, from all over the list, for pings. */
  readonly listed: readonly Listed[];
}

const MOST_PINGED = 2000;
const logger = { debug: quiet, info: quiet, warn: console.warn, error: console.error };

function quiet(): void {}

const CREATORS: Readonly<Record<SubjectName, (options: SubjectOptions) => Promise<Subject>>> = {
  floor: createFloor,
  'gsls-memory': (options) => createGsls(new MemoryRegistry({ lifetime, uniqueAddress: false }), options),
  'gsls-redis': async (options) =>
    createGsls((await openListedRegistry(options.redisPort!)).registry, options),
  'rival-hgetall': createHgetallRival,
  'rival-stringify': createStringifyRival,
};

export function createSubject(options: SubjectOptions): Promise<Subject> {
  return CREATORS[options.name](options);
}

async function createGsls(registry: Backend, { count }: SubjectOptions): Promise<Subject> {
  const listed = await fill(registry, count, detailed);
  const config = createConfig({ flags: {}, environment: {}, readFile: String });
  const rateLimits = await openRateLimits({
    config,
    lifetime,
    logger: { ...logger, warn: quiet },
    redis: undefined,
  });
  const listener = createListener({
    config,
    registry,
    lifetime,
    logger,
    rateLimits,
    metrics: createMetrics(),
  });
  return { listener, listed: sample(listed) };
}

function detailed(n: number): GameServer {
  return { ...gameServerNumber(n), details: detailsNumber(n) };
}

/** Evenly spread, in an order that jumps about. */
function sample(listed: readonly Listed[]): Listed[] {
  const length = Math.min(MOST_PINGED, listed.length);
  return Array.from(
    { length },
    (_, i) => listed[Math.floor((((i * 7919) % length) * listed.length) / length)]!,
  );
}

/** Ready bytes for every GET, 304 for every If-None-Match, a parsed body and a fixed answer for every POST. */
async function createFloor({ count }: SubjectOptions): Promise<Subject> {
  const registry = new MemoryRegistry({ lifetime, uniqueAddress: false });
  const { listed } = await createGsls(registry, { name: 'floor', count });
  const { snapshot } = await registry.list();
  await registry.close();
  const plain = (await snapshot.encode('identity')).toBuffer();
  const gzip = (await snapshot.encode('gzip')).toBuffer();
  const success = '{"status":"success"}';
  return {
    listed,
    listener(request, response) {
      if (request.method === 'GET') {
        if (request.headers['if-none-match'] !== undefined) {
          response.writeHead(304);
          response.end();
          return;
        }
        const isGzip = request.headers['accept-encoding'] !== undefined;
        const body = isGzip ? gzip : plain;
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          ...(isGzip && { 'Content-Encoding': 'gzip' }),
        });
        response.end(body);
        return;
      }
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        JSON.parse(text);
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': success.length });
        response.end(success);
      });
    },
  };
}

/** The obvious way on Redis: the ids, then a hash for each, then JSON, for every request. */
async function createHgetallRival({ count, redisPort }: SubjectOptions): Promise<Subject> {
  const redis = new Redis(redisPort!);
  for (let n = 0; n < count; n += 1) {
    const id = createGameServerId();
    void redis.sadd('rival:servers', id);
    const written = redis.hset(`rival:server:${id}`, { ...gameServerNumber(n) });
    if (n % 500 === 0) await written;
  }
  const app = new Koa();
  app.use(async (ctx) => {
    const pipeline = redis.pipeline();
    const ids = await redis.smembers('rival:servers');
    for (const id of ids) pipeline.hgetall(`rival:server:${id}`);
    const records = (await pipeline.exec())!;
    const servers = records.map(([, record], i) => {
      const { host, name, port, ip, players, maxPlayers } = record as Record<string, string>;
      return {
        id: ids[i],
        host,
        name,
        port: Number(port),
        ip,
        players: Number(players),
        max_players: Number(maxPlayers),
      };
    });
    ctx.body = { servers, count: servers.length };
  });
  return { listener: app.callback(), listed: [] };
}

/** The obvious way in memory: JSON of everything for every request. */
async function createStringifyRival({ count }: SubjectOptions): Promise<Subject> {
  const known = new Map<string, GameServer>();
  for (let n = 0; n < count; n += 1) known.set(createGameServerId(), gameServerNumber(n));
  const app = new Koa();
  app.use((ctx) => {
    const servers = [...known].map(([id, { maxPlayers, ...rest }]) => ({
      id,
      ...rest,
      max_players: maxPlayers,
    }));
    ctx.body = { servers, count: servers.length };
  });
  return { listener: app.callback(), listed: [] };
}

export function listen(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
