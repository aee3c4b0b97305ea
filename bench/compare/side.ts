/** One of the two sides: the service as a process, with many game servers and, if wanted, a Redis of its own. */

import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
import { configOf, namesOf } from '../support/many-registries.ts';
import { startRedis, startService, type RunningRedis, type Service } from '../support/processes.ts';
import { changedPings, listRequest, unchangedPings, type Listed, type Request } from '../support/requests.ts';
import { readPreciseCpuUs, redisCpuUs } from '../support/usage.ts';
import type { Cost } from './comparison.ts';

export interface Case {
  readonly name: string;
  /** As many as take some tenths of a second: many short rounds say more than a few long ones. */
  readonly count: number;
  readonly requests: (side: Side) => Promise<readonly Request[]>;
}

export interface SideOptions {
  /** The folder of the checkout; undefined for this one. */
  readonly folder?: string | undefined;
  readonly isOnRedis: boolean;
  /** The game servers that are listed, spread over this many registries. */
  readonly servers: number;
  readonly registries: number;
}

export interface Side {
  readonly url: string;
  /** Some of the game servers, from all over the list of each registry, whose path is before it. */
  readonly lists: ReadonlyMap<string, readonly Listed[]>;
  /** Bytes of the process after a collection of garbage, and of its heap. */
  readonly memory: () => Promise<{ readonly rssBytes: number; readonly heapBytes: number }>;
  /** Sends the requests of the case, and resolves with the CPU of one in µs. */
  measure(each: Case): Promise<Cost>;
  close(): Promise<void>;
}

const CONNECTIONS = 32;
const LONGEST_S = 120;
const MOST_PINGED = 2000;

export const CASES: readonly Case[] = [
  { name: 'ping, unchanged', count: 10_000, requests: async (side) => toAll(side, unchangedPings) },
  { name: 'ping, changed', count: 10_000, requests: async (side) => toAll(side, changedPings) },
  { name: 'list plain', count: 1000, requests: async () => [listRequest()] },
  { name: 'list gzip', count: 3000, requests: async () => [listRequest({ 'Accept-Encoding': 'gzip' })] },
  {
    name: 'list, 304',
    count: 10_000,
    async requests({ url }) {
      const response = await fetch(url);
      await response.arrayBuffer();
      return [listRequest({ 'If-None-Match': response.headers.get('etag')! })];
    },
  },
];

/** The requests to all registries, each next one to another registry. */
function toAll({ lists }: Side, requestsFor: (listed: readonly Listed[]) => Request[]): Request[] {
  const each = [...lists].map(([path, listed]) =>
    requestsFor(listed).map((request) => ({ ...request, path: path + request.path })),
  );
  return each[0]!.flatMap((_, i) => each.flatMap((requests) => requests[i] ?? []));
}

export async function openSide({ folder, isOnRedis, servers, registries }: SideOptions): Promise<Side> {
  const redis = isOnRedis ? await startRedis() : undefined;
  const paths = registries === 1 ? [''] : namesOf(registries).map((name) => `/${name}`);
  const service = await startService({
    ...(folder !== undefined && { folder }),
    flags: [
      ...(registries === 1 ? [] : [`--config=${configOf(registries)}`]),
      ...(redis === undefined ? [] : [`--redis=redis://127.0.0.1:${redis.port}`]),
      '--ttl=86400',
      '--log-level=warn',
      // It is to have all that it can do to do, and to refuse nothing.
      '--no-load-shedding',
    ],
    isProbed: true,
  });
  const { url } = service;
  const lists = new Map<string, readonly Listed[]>();
  for (const path of paths) {
    const all = await new Poster(url + path).list(servers / registries);
    lists.set(
      path,
      all.filter((_, i) => i % Math.ceil(servers / MOST_PINGED) === 0),
    );
  }
  const side: Side = {
    url,
    lists,
    memory: () => service.probe('collect'),
    async measure(each) {
      const requests = await each.requests(side);
      const before = await usedBy(service, redis);
      const load = { url, requests, seconds: LONGEST_S, connections: CONNECTIONS, count: each.count };
      const { requests: answered, errors } = await runLoad(load);
      const after = await usedBy(service, redis);
      return {
        serviceUs: (after.serviceUs - before.serviceUs) / answered,
        redisUs: (after.redisUs - before.redisUs) / answered,
        errors,
      };
    },
    async close() {
      await service.stop();
      await redis?.stop();
    },
  };
  return side;
}

async function usedBy(service: Service, redis: RunningRedis | undefined) {
  return {
    serviceUs: readPreciseCpuUs(service.pid!),
    redisUs: redis === undefined ? 0 : await redisCpuUs(redis.client),
  };
}
