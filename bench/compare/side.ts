/** One of the two builds: the service as a process, with many game servers and, if wanted, a Redis of its own. */

import { Poster } from '../support/game-servers.ts';
import { runLoad } from '../support/load.ts';
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

export interface Side {
  readonly url: string;
  /** Some of the game servers, from all over the list. */
  readonly listed: readonly Listed[];
  /** Sends the requests of the case, and resolves with the CPU of one in µs. */
  measure(each: Case): Promise<Cost>;
  close(): Promise<void>;
}

const CONNECTIONS = 32;
const LONGEST_S = 120;
const MOST_PINGED = 2000;

export const CASES: readonly Case[] = [
  { name: 'ping, unchanged', count: 10_000, requests: async ({ listed }) => unchangedPings(listed) },
  { name: 'ping, changed', count: 10_000, requests: async ({ listed }) => changedPings(listed) },
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

/** `folder`: of the checkout; undefined for this one. */
export async function openSide(
  folder: string | undefined,
  isOnRedis: boolean,
  servers: number,
): Promise<Side> {
  const redis = isOnRedis ? await startRedis() : undefined;
  const service = await startService({
    ...(folder !== undefined && { folder }),
    flags: [
      ...(redis === undefined ? [] : [`--redis=redis://127.0.0.1:${redis.port}`]),
      '--ttl=86400',
      '--log-level=warn',
      // It is to have all that it can do to do, and to refuse nothing.
      '--no-load-shedding',
    ],
  });
  const { url } = service;
  const all = await new Poster(url).list(servers);
  const side: Side = {
    url,
    listed: all.filter((_, i) => i % Math.ceil(servers / MOST_PINGED) === 0),
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
