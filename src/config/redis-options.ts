/**
 * The options that say where Redis is and how to get in, in each of its forms, and what they come to together:
 * one address, or a UsageError of one line. No message repeats a secret or a URL, which may hold one.
 */

import { X509Certificate } from 'node:crypto';
import {
  integer,
  one,
  parseAddresses,
  parseHostName,
  parseName,
  parseRedisUrl,
  parseSecret,
  parseUser,
  yesOrNo,
  type RedisUrl,
} from './option-parsers.ts';
import { option, readOptionFile, readSecretFile, UsageError, type ValuesOf } from './option.ts';
import type { HostAndPort, RedisAddress, RedisTls } from '../registry/redis/connection/redis-address.ts';

export const REDIS_OPTIONS = {
  redis: option<RedisUrl | undefined>({
    flag: '--redis',
    argument: '<url>',
    variable: 'GSLS_REDIS',
    group: 'Redis',
    description:
      'share the registry between replicas through this Redis: redis://user:password@host:6379/0, or rediss:// for TLS',
    default: undefined,
    defaultText: 'in memory',
    parse: one(parseRedisUrl),
  }),
  redisSentinel: option<readonly HostAndPort[] | undefined>({
    flag: '--redis-sentinel',
    argument: '<addresses>',
    variable: 'GSLS_REDIS_SENTINEL',
    group: 'Redis',
    description: 'the same through the master that these sentinels name: host:26379,host:26379,…',
    default: undefined,
    defaultText: 'none',
    parse: one(parseAddresses(26_379)),
  }),
  redisMaster: option({
    flag: '--redis-master',
    argument: '<name>',
    variable: 'GSLS_REDIS_MASTER',
    group: 'Redis',
    description: 'the name by which the sentinels know the master',
    default: 'mymaster',
    parse: one(parseName),
  }),
  redisCluster: option<readonly HostAndPort[] | undefined>({
    flag: '--redis-cluster',
    argument: '<addresses>',
    variable: 'GSLS_REDIS_CLUSTER',
    group: 'Redis',
    description:
      'the same through a Redis Cluster; some of its nodes, who know the others: host:6379,host:6379,…',
    default: undefined,
    defaultText: 'none',
    parse: one(parseAddresses(6379)),
  }),
  redisDatabase: option({
    flag: '--redis-database',
    argument: '<number>',
    variable: 'GSLS_REDIS_DATABASE',
    group: 'Redis',
    description: 'the database to use, where the URL names none; a Cluster has only one',
    default: 0,
    parse: integer(0, 99_999),
  }),
  redisUser: option<string | undefined>({
    flag: '--redis-user',
    argument: '<name>',
    variable: 'GSLS_REDIS_USER',
    group: 'Redis',
    description: 'the user to be in Redis',
    default: undefined,
    defaultText: 'the default user',
    parse: one(parseUser),
  }),
  redisPassword: option<string | undefined>({
    flag: '--redis-password',
    argument: '<password>',
    variable: 'GSLS_REDIS_PASSWORD',
    group: 'Redis',
    description:
      'the password for Redis (others on the machine can see flags: rather use the variable or a file)',
    default: undefined,
    defaultText: 'none',
    parse: one(parseSecret),
  }),
  redisPasswordFile: option<string | undefined>({
    flag: '--redis-password-file',
    argument: '<path>',
    variable: 'GSLS_REDIS_PASSWORD_FILE',
    group: 'Redis',
    description: 'a file that holds the password for Redis and nothing else',
    default: undefined,
    defaultText: 'none',
    parse: one(String),
  }),
  redisSentinelUser: option<string | undefined>({
    flag: '--redis-sentinel-user',
    argument: '<name>',
    variable: 'GSLS_REDIS_SENTINEL_USER',
    group: 'Redis',
    description: 'the user to be in the sentinels',
    default: undefined,
    defaultText: 'the default user',
    parse: one(parseUser),
  }),
  redisSentinelPassword: option<string | undefined>({
    flag: '--redis-sentinel-password',
    argument: '<password>',
    variable: 'GSLS_REDIS_SENTINEL_PASSWORD',
    group: 'Redis',
    description: 'the password for the sentinels; they are not told that for Redis',
    default: undefined,
    defaultText: 'none',
    parse: one(parseSecret),
  }),
  redisSentinelPasswordFile: option<string | undefined>({
    flag: '--redis-sentinel-password-file',
    argument: '<path>',
    variable: 'GSLS_REDIS_SENTINEL_PASSWORD_FILE',
    group: 'Redis',
    description: 'a file that holds the password for the sentinels and nothing else',
    default: undefined,
    defaultText: 'none',
    parse: one(String),
  }),
  redisTls: option({
    flag: '--redis-tls',
    variable: 'GSLS_REDIS_TLS',
    group: 'Redis',
    description: 'speak TLS with Redis, and with the sentinels; a URL says it by rediss://',
    default: false,
    parse: yesOrNo,
  }),
  redisCa: option<string | undefined>({
    flag: '--redis-ca',
    argument: '<path>',
    variable: 'GSLS_REDIS_CA',
    group: 'Redis',
    description: 'a PEM file with the certificates of those who may have signed that of Redis',
    default: undefined,
    defaultText: "Node's own",
    parse: one(String),
  }),
  redisServerName: option<string | undefined>({
    flag: '--redis-server-name',
    argument: '<name>',
    variable: 'GSLS_REDIS_SERVER_NAME',
    group: 'Redis',
    description: 'the name that the certificate of Redis has to bear, on whichever node',
    default: undefined,
    defaultText: 'the host connected to',
    parse: one(parseHostName),
  }),
} as const;

export type RedisOptionName = keyof typeof REDIS_OPTIONS;

export interface RedisOptionSources {
  readonly values: ValuesOf<typeof REDIS_OPTIONS>;
  /** The flag or variable the option was given by, undefined if it was not. */
  readonly givenBy: (name: RedisOptionName) => string | undefined;
  /** Reads a text file. */
  readonly readFile: (path: string) => string;
}

/** Where Redis is, or undefined for nowhere. Throws a UsageError, also about an option that would have no effect. */
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

/** What is given and cannot be meant, each in one line that says what to do. */
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
      yield `${given} needs --redis, --redis-sentinel or --redis-cluster beside it`;

  if (redisSentinel === undefined)
    for (const given of allGiven(
      'redisMaster',
      'redisSentinelUser',
      'redisSentinelPassword',
      'redisSentinelPasswordFile',
    ))
      yield `${given} needs --redis-sentinel beside it`;
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
      yield `${given} says what the URL of ${forms[0]} says as well: leave one of them out`;
  for (const given of allGiven('redisTls'))
    if (!values.redisTls && redis?.tls === true)
      yield `${given} cannot be off when the URL of ${forms[0]} begins with rediss://`;

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
  if (path === undefined) return values[name];
  const password = readSecretFile('password file', path, readFile).replace(/\r?\n$/, '');
  if (password === '') throw new UsageError(`the password file ${path} is empty`);
  if (/\p{Cc}/u.test(password))
    throw new UsageError(`the password file ${path} must hold the password and nothing else, in one line`);
  return password;
}

function createTls({ values, readFile }: RedisOptionSources): RedisTls {
  const { redisCa: caFile, redisServerName: serverName } = values;
  return {
    ...(caFile !== undefined && { ca: readCertificates(caFile, readFile) }),
    ...(serverName !== undefined && { serverName }),
  };
}

/** The certificates in the file, as PEM. */
function readCertificates(path: string, readFile: (path: string) => string): string {
  const text = readOptionFile('CA file', path, readFile);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  if (certificates.length === 0)
    throw new UsageError(`the CA file ${path} holds no certificate: it has to be in PEM form`);
  if (!certificates.every(isCertificate))
    throw new UsageError(`the CA file ${path} holds something that looks like a certificate and is none`);
  return certificates.join('\n');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
