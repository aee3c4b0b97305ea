/**
 * Sorts the errors of Redis into a closed list of kinds, so that they can be counted. It knows the messages of Redis,
 * Node and ioredis.
 */

import { isDamage, lateAt } from './retry.ts';

/**
 * - `timeout`: Redis gave no answer in time.
 * - `connection`: there is no connection, or it was lost.
 * - `auth`: password, user or rights are wrong.
 * - `read_only`: the Redis is a replica, not the master.
 * - `replication`: the master has too few replicas, or a replica has lost its master.
 * - `loading`: Redis has just started.
 * - `busy`: another program runs a long script.
 * - `out_of_memory`: maxmemory is reached.
 * - `disk`: Redis cannot write to its disk.
 * - `cluster`: a slot is moving, or a part of the Cluster is missing.
 * - `damage`: another program has written to the keys of the registry.
 * - `late`: a write came after its deadline: the process or Redis was paused, or the clock of Redis was set.
 */
export const REDIS_ERROR_KINDS = [
  'timeout',
  'connection',
  'auth',
  'read_only',
  'replication',
  'loading',
  'busy',
  'out_of_memory',
  'disk',
  'cluster',
  'damage',
  'late',
  'other',
] as const;

export type RedisErrorKind = (typeof REDIS_ERROR_KINDS)[number];

/** The first pattern that matches decides. Most are error codes of Redis; ioredis puts words of its own before some. */
const KINDS: readonly (readonly [RegExp, RedisErrorKind])[] = [
  [/^Command timed out|has not answered|does not answer|ETIMEDOUT/, 'timeout'],
  [/\b(NOAUTH|WRONGPASS|NOPERM|DENIED)\b|invalid password|without any password/, 'auth'],
  [/\bREADONLY\b/, 'read_only'],
  [/\b(NOREPLICAS|MASTERDOWN)\b/, 'replication'],
  [/\bLOADING\b/, 'loading'],
  [/\bBUSY\b/, 'busy'],
  [/\bOOM\b/, 'out_of_memory'],
  [/\bMISCONF\b/, 'disk'],
  [/\b(MOVED|ASK|TRYAGAIN|CLUSTERDOWN|CROSSSLOT)\b|non local key/, 'cluster'],
  [/max number of clients/, 'connection'],
];

export function redisErrorKind(error: unknown): RedisErrorKind {
  if (!(error instanceof Error)) return 'other';
  if (isDamage(error)) return 'damage';
  if (lateAt(error) !== undefined) return 'late';
  const known = KINDS.find(([pattern]) => pattern.test(error.message))?.[1];
  return known ?? (error.name === 'ReplyError' ? 'other' : 'connection');
}
