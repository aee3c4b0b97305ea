/**
 * What in a Redis endangers the registry though all goes well so far: looked at after each connect, so that it is mended
 * before it matters. Nothing waits for the look, and nothing comes of one that fails.
 */

import { Redis } from 'ioredis';
import { describeHosts } from './redis-address.ts';
import type { RedisClient } from '../scripts.ts';

/** `risk` is a sentence that says what to do, `where` the host and port of the Redis. */
export type RiskListener = (risk: string, where: string) => void;

const OLDEST_VERSION = 7;

/**
 * Looks at each Redis that commands begin to go to: of a Cluster, at the masters in use. A connection that comes and
 * goes is no news, so only what was not there at the look before is told.
 */
export function watchRisks(client: RedisClient, tell: RiskListener): void {
  const known = new Map<string, readonly string[]>();
  const look = async (redis: Redis): Promise<void> => {
    const { remoteAddress: host, remotePort: port } = redis.stream;
    if (host === undefined || port === undefined || redis.options.readOnly === true) return;
    // The user may not ask, or the connection is lost again.
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
}

async function findRisks(redis: Redis): Promise<string[]> {
  const info = parseInfo(await redis.info());
  return [...risksIn(info, keepsNoLog(info) ? await savePointsOf(redis) : undefined)];
}

/** INFO does not tell of them. Undefined when the user may not ask. */
async function savePointsOf(redis: Redis): Promise<string | undefined> {
  const reply = (await redis.config('GET', 'save').catch(() => [])) as string[];
  return reply[1];
}

function keepsNoLog(info: ReadonlyMap<string, string>): boolean {
  return info.get('aof_enabled') === '0';
}

/** `savePoints` as in the configuration of Redis: empty for none, undefined where nobody knows. */
export function* risksIn(info: ReadonlyMap<string, string>, savePoints?: string): Generator<string> {
  const version = info.get('redis_version');
  if (version !== undefined && Number.parseInt(version, 10) < OLDEST_VERSION)
    yield `Redis ${version} is older than GSLS is made for: update it to ${OLDEST_VERSION} or later`;

  const policy = info.get('maxmemory_policy');
  // Also where maxmemory is not set: it can be at any time, while Redis runs.
  if (policy !== undefined && policy !== 'noeviction')
    yield `maxmemory-policy is ${policy}: once it holds maxmemory, Redis takes living game servers off the list; set it to noeviction`;

  // Replicas are no substitute: they copy the emptiness of a master that is back before one of them took over.
  if (keepsNoLog(info) && savePoints === '')
    yield 'Redis keeps nothing on disk: after a restart it has only what running replicas of GSLS give back; set appendonly to yes';
}

/** The reply of INFO by its fields: those that are a word or a number. */
export function parseInfo(reply: string): Map<string, string> {
  return new Map(
    reply.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(\w+):([\w.-]+)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value!]];
    }),
  );
}
