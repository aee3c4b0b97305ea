/**
 * Makes one address of the options about Redis, or a UsageError of one line about those that contradict each other. No
 * message repeats a secret, or a URL, which may hold one.
 */

import type { RedisAddress, RedisTls } from '../../registry/redis/connection/redis-address.ts';
import { readCertificates, readPassword, type ReadFile } from './option-files.ts';
import type { ValuesOf } from './option.ts';
import { UsageError } from '../../runtime/usage-error.ts';
import { REDIS_OPTIONS } from './redis-options.ts';

export type RedisOptionName = keyof typeof REDIS_OPTIONS;

export interface RedisOptionSources {
  readonly values: ValuesOf<typeof REDIS_OPTIONS>;
  /** The flag or variable that set the option, undefined if it was not set. */
  readonly givenBy: (name: RedisOptionName) => string | undefined;
  readonly readFile: ReadFile;
}

/** Undefined when no option names a Redis. Throws a UsageError, also about an option that would have no effect. */
export function createRedisAddress(sources: RedisOptionSources): RedisAddress | undefined {
  const [complaint] = contradictionsIn(sources);
  if (complaint !== undefined) throw new UsageError(complaint);
  const { values } = sources;
  const { redis, redisSentinel, redisCluster } = values;
  const username = redis?.username ?? values.redisUser;
  const password = redis?.password ?? passwordOf(sources, 'redisPassword', 'redisPasswordFile');
  const common = {
    database: redis?.database ?? values.redisDatabase,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...((values.redisTls || redis?.tls === true) && { tls: createTls(sources) }),
  };

  if (redis !== undefined) return { kind: 'standalone', host: redis.host, port: redis.port, ...common };
  if (redisCluster !== undefined) return { kind: 'cluster', nodes: redisCluster, ...common };
  if (redisSentinel === undefined) return undefined;
  const sentinelUsername = values.redisSentinelUser;
  const sentinelPassword = passwordOf(sources, 'redisSentinelPassword', 'redisSentinelPasswordFile');
  return {
    kind: 'sentinel',
    sentinels: redisSentinel,
    masterName: values.redisMaster,
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
    ...common,
  };
}

/** Yields a line for each contradiction, which says what to do: options that exclude each other, or have no effect. */
function* contradictionsIn({ values, givenBy }: RedisOptionSources): Generator<string> {
  const allGiven = (...names: readonly RedisOptionName[]): string[] =>
    names.map(givenBy).filter((source) => source !== undefined);
  const { redis, redisSentinel, redisCluster } = values;
  const forms = allGiven('redis', 'redisSentinel', 'redisCluster');
  const others = Object.keys(REDIS_OPTIONS) as RedisOptionName[];

  if (forms.length > 1)
    yield `${forms.join(' and ')} cannot be given together: say where Redis is in one way`;
  if (forms.length === 0)
    for (const given of allGiven(...others))
      yield `${given} needs --redis, --redis-sentinel or --redis-cluster as well`;

  if (redisSentinel === undefined)
    for (const given of allGiven(
      'redisMaster',
      'redisSentinelUser',
      'redisSentinelPassword',
      'redisSentinelPasswordFile',
    ))
      yield `${given} needs --redis-sentinel as well`;
  if (!values.redisTls && redis?.tls !== true)
    for (const given of allGiven('redisCa', 'redisServerName'))
      yield `${given} needs TLS: add --redis-tls, or begin the URL with rediss://`;
  if (redisCluster !== undefined)
    for (const given of allGiven('redisDatabase'))
      yield `${given} cannot be given with ${forms[0]}: a Cluster has only one database`;

  const inUrl = [
    ['redisDatabase', redis?.database],
    ['redisUser', redis?.username],
    ['redisPassword', redis?.password],
    ['redisPasswordFile', redis?.password],
  ] as const;
  for (const [name, value] of inUrl)
    for (const given of value === undefined ? [] : allGiven(name))
      yield `${given} repeats a part of the URL of ${forms[0]}: leave one of them out`;
  for (const given of allGiven('redisTls'))
    if (!values.redisTls && redis?.tls === true)
      yield `${given} cannot be off while the URL of ${forms[0]} begins with rediss://`;

  for (const pair of [
    ['redisPassword', 'redisPasswordFile'],
    ['redisSentinelPassword', 'redisSentinelPasswordFile'],
  ] as const) {
    const given = allGiven(...pair);
    if (given.length > 1) yield `${given.join(' and ')} cannot be given together: leave one of them out`;
  }
}

function passwordOf(
  { values, readFile }: RedisOptionSources,
  name: 'redisPassword' | 'redisSentinelPassword',
  fileName: 'redisPasswordFile' | 'redisSentinelPasswordFile',
): string | undefined {
  const path = values[fileName];
  return path === undefined ? values[name] : readPassword(path, readFile);
}

function createTls({ values, readFile }: RedisOptionSources): RedisTls {
  const { redisCa: caFile, redisServerName: serverName } = values;
  return {
    ...(caFile !== undefined && { ca: readCertificates(caFile, readFile) }),
    ...(serverName !== undefined && { serverName }),
  };
}
