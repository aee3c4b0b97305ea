/**
 * The table of the options that say where Redis is and how to log in. No message repeats a URL, which may hold a
 * secret.
 */

import {
  PATH,
  integer,
  one,
  parseAddresses,
  parseHostName,
  parseName,
  parseRedisUrl,
  parseSecret,
  parseUser,
  type RedisUrl,
} from './option-parsers.ts';
import { describeHosts, type HostAndPort } from '../../registry/redis/connection/redis-address.ts';
import { HIDDEN, optionsIn } from './option.ts';

const option = optionsIn('Redis');

export const REDIS_OPTIONS = {
  redis: option<RedisUrl | undefined>({
    argument: '<url>',
    description:
      'share the registry between replicas through this Redis: redis://user:password@host:6379/0, or rediss:// for TLS',
    defaultText: 'in memory',
    secret: true,
    describe: describeRedisUrl,
    parse: one(parseRedisUrl),
  }),
  redisSentinel: option<readonly HostAndPort[] | undefined>({
    argument: '<addresses>',
    description: 'share the registry through the master that these sentinels name: host:26379,host:26379,…',
    parse: one(parseAddresses(26_379)),
  }),
  redisMaster: option({
    argument: '<name>',
    description: 'the name by which the sentinels know the master',
    default: 'mymaster',
    parse: one(parseName),
  }),
  redisCluster: option<readonly HostAndPort[] | undefined>({
    argument: '<addresses>',
    description:
      'share the registry through a Redis Cluster; some of its nodes are enough: host:6379,host:6379,…',
    parse: one(parseAddresses(6379)),
  }),
  redisDatabase: option({
    argument: '<number>',
    description: 'the number of the database, if the URL has none; a Cluster has only one database',
    default: 0,
    parse: integer(0, 99_999),
  }),
  redisUser: option<string | undefined>({
    argument: '<name>',
    description: 'the user name for Redis',
    defaultText: 'the default user',
    parse: one(parseUser),
  }),
  redisPassword: option<string | undefined>({
    argument: '<password>',
    description: 'the password for Redis (prefer the variable or a file, as for --key)',
    secret: true,
    parse: one(parseSecret),
  }),
  redisPasswordFile: option<string | undefined>({
    ...PATH,
    description: 'a file that holds the password for Redis and nothing else',
  }),
  redisSentinelUser: option<string | undefined>({
    argument: '<name>',
    description: 'the user name for the sentinels',
    defaultText: 'the default user',
    parse: one(parseUser),
  }),
  redisSentinelPassword: option<string | undefined>({
    argument: '<password>',
    description: 'the password for the sentinels, which do not get the one for Redis',
    secret: true,
    parse: one(parseSecret),
  }),
  redisSentinelPasswordFile: option<string | undefined>({
    ...PATH,
    description: 'a file that holds the password for the sentinels and nothing else',
  }),
  redisTls: option(
    'use TLS with Redis and with the sentinels; a URL that begins with rediss:// says the same',
  ),
  redisCa: option<string | undefined>({
    ...PATH,
    description: 'a PEM file with the certificates of the authorities that may sign that of Redis',
    defaultText: "Node's own",
  }),
  redisServerName: option<string | undefined>({
    argument: '<name>',
    description: 'the name that the certificate of Redis must have, on every node',
    defaultText: 'the host connected to',
    parse: one(parseHostName),
  }),
} as const;

/** The URL without user and password: a password may also stand in the place of the user, by mistake. */
function describeRedisUrl(url: RedisUrl | undefined): string {
  if (url === undefined) return '';
  const { tls, username, password, database } = url;
  const access = username === undefined && password === undefined ? '' : `${HIDDEN}@`;
  const path = database === undefined ? '' : `/${database}`;
  return `${tls ? 'rediss' : 'redis'}://${access}${describeHosts([url])}${path}`;
}
