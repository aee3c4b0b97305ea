/**
 * Finds settings of a Redis that endanger the registry although everything works so far. They are checked after each
 * connect, and now and then, as they can be set while Redis runs: an operator can mend them before they matter. Nothing
 * waits for the check, and a check that fails has no effect.
 */

import { Redis } from 'ioredis';
import { systemClock, type Clock } from '../../registry.ts';
import { describeHosts } from './redis-address.ts';
import type { RedisClient } from './create-client.ts';

/** `risk` is a sentence that says what to do, `where` the host and port of the Redis. */
export type RiskListener = (risk: string, where: string) => void;

const OLDEST_VERSION = 7;

const INTERVAL_MS = 60_000;

/**
 * Checks each Redis that gets commands; in a Cluster, the masters in use. Connections come and go, so `tell` is called
 * only for risks that the same Redis did not have at the check before. Returns a function that ends the checks.
 */
export function watchRisks(client: RedisClient, tell: RiskListener, clock: Clock = systemClock): () => void {
  const known = new Map<string, readonly string[]>();
  const look = async (redis: Redis): Promise<void> => {
    const { remoteAddress: host, remotePort: port } = redis.stream;
    if (host === undefined || port === undefined || redis.options.readOnly === true) return;
    // The user may have no right to ask, or the connection is lost again.
    const risks = await findRisks(redis).catch(() => undefined);
    if (risks === undefined) return;
    const where = describeHosts([{ host, port }]);
    const before = known.get(where) ?? [];
    known.set(where, risks);
    for (const risk of risks) if (!before.includes(risk)) tell(risk, where);
  };
  const follow = (redis: Redis): void => {
    redis.on('ready', () => void look(redis));
  };
  if (client instanceof Redis) follow(client);
  else client.on('+node', follow);
  return clock.every(INTERVAL_MS, async () => {
    const inUse = client instanceof Redis ? [client] : client.nodes('master');
    await Promise.all(inUse.filter(({ status }) => status === 'ready').map(look));
  });
}

async function findRisks(redis: Redis): Promise<string[]> {
  const info = parseRedisInfo(await redis.info());
  return [...risksIn(info, keepsNoLog(info) ? await savePointsOf(redis) : undefined)];
}

/** Reads the save points, which INFO does not show. Undefined if the user has no right to ask. */
async function savePointsOf(redis: Redis): Promise<string | undefined> {
  const reply = (await redis.config('GET', 'save').catch(() => [])) as string[];
  return reply[1];
}

function keepsNoLog(info: ReadonlyMap<string, string>): boolean {
  return info.get('aof_enabled') === '0';
}

/** The risks of a Redis. `savePoints` as in its configuration: empty for none, undefined if unknown. */
export function* risksIn(info: ReadonlyMap<string, string>, savePoints?: string): Generator<string> {
  const version = info.get('redis_version');
  if (version !== undefined && Number.parseInt(version, 10) < OLDEST_VERSION)
    yield `Redis ${version} is older than GSLS supports: update it to ${OLDEST_VERSION} or later`;

  const policy = info.get('maxmemory_policy');
  // This is a risk even without maxmemory, which can be set at any time while Redis runs.
  if (policy !== undefined && policy !== 'noeviction')
    yield `maxmemory-policy is ${policy}: at maxmemory, Redis deletes listed game servers; set it to noeviction`;

  if (policy !== 'noeviction' && Number(info.get('evicted_keys') ?? 0) > 0)
    yield 'Redis has deleted keys because its memory is full, perhaps listed game servers: set maxmemory-policy to noeviction, and raise maxmemory';

  // Replicas of Redis are no substitute: they copy an empty master that restarts before one of them has taken over.
  if (keepsNoLog(info) && savePoints === '')
    yield 'Redis keeps nothing on disk: after a restart it has only what running replicas of GSLS write back; set appendonly to yes';
}

/**
 * Reads how much memory the Redis that has this key uses and may use, in bytes. Returns nothing of it if the user may
 * not ask, or Redis does not answer.
 */
export async function readMemory(
  client: RedisClient,
  key: string,
): Promise<{ readonly usedBytes?: number; readonly allowedBytes?: number }> {
  const reply = await client.eval("return redis.call('INFO', 'memory')", 1, key).catch(() => '');
  const info = parseRedisInfo(String(reply));
  if (!info.has('used_memory')) return {};
  return { usedBytes: Number(info.get('used_memory')), allowedBytes: Number(info.get('maxmemory')) };
}

/** The fields of a reply of INFO whose values are a word or a number. */
export function parseRedisInfo(reply: string): Map<string, string> {
  return new Map(
    reply.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(\w+):([\w.-]+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value!]];
    }),
  );
}
