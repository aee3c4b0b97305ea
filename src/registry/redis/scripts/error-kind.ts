/**
 * Sorts the errors of Redis into a closed list of kinds, so that they can be counted, and has the one table of the ways
 * in which a Redis answers and refuses. It knows the messages of Redis, Node and ioredis.
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

/** A way in which Redis answers and refuses. */
export interface RedisRefusal {
  /** Matches the error. Most are error codes of Redis; ioredis puts words of its own before some. */
  readonly pattern: RegExp;
  readonly kind: RedisErrorKind;
  /** The end of the sentence "Redis refuses writes: …", for log, readiness and doctor. */
  readonly says: string;
  /** The next step of the operator. */
  readonly advice: string;
}

/** The first row whose pattern matches decides. docs/redis.md has a row for each sentence. */
export const REFUSALS: readonly RedisRefusal[] = [
  {
    pattern: /\bNOAUTH\b/,
    kind: 'auth',
    says: 'it asks for a password',
    advice: 'give the password, in the URL or with --redis-password',
  },
  {
    pattern: /\bWRONGPASS\b|invalid password|without any password/,
    kind: 'auth',
    says: 'user or password is wrong',
    advice: 'correct user and password in the URL or in --redis-user and --redis-password',
  },
  {
    // In a script Redis 7.0 says it without its code.
    pattern: /\bNOPERM\b|The user executing the script can't|ACL failure in script/,
    kind: 'auth',
    says: 'its user lacks a right',
    advice: 'give the user the rights that the documentation lists',
  },
  {
    pattern: /\bDENIED\b/,
    kind: 'auth',
    says: 'it is in protected mode',
    advice: 'without a password it refuses all other machines: set one, and give it to GSLS',
  },
  {
    pattern: /\bREADONLY\b/,
    kind: 'read_only',
    says: 'it is a replica, which takes no writes',
    advice: 'this is a replica; give the address of its master, or the addresses of the sentinels',
  },
  {
    pattern: /\bMASTERDOWN\b/,
    kind: 'replication',
    says: 'it is a replica that has lost its master',
    advice: 'this is a replica that has lost its master; bring the master back, or promote the replica',
  },
  {
    pattern: /\bNOREPLICAS\b/,
    kind: 'replication',
    says: 'it has fewer replicas than it must have',
    advice: 'it has fewer replicas than min-replicas-to-write requires; bring them back',
  },
  {
    pattern: /\bLOADING\b/,
    kind: 'loading',
    says: 'it loads its data',
    advice: 'wait until Redis has loaded its data',
  },
  {
    pattern: /\bBUSY\b/,
    kind: 'busy',
    says: 'another program keeps it busy with a script',
    advice: 'another program runs a long script in Redis; SCRIPT KILL ends it',
  },
  {
    pattern: /\bOOM\b/,
    kind: 'out_of_memory',
    says: 'its memory is full',
    advice: 'raise maxmemory, or free memory in Redis',
  },
  {
    pattern: /\bMISCONF\b/,
    kind: 'disk',
    says: 'it cannot write to its disk',
    advice: 'Redis cannot write to its disk; is the disk full?',
  },
  {
    pattern: /\bCLUSTERDOWN\b/,
    kind: 'cluster',
    says: 'a part of the Cluster is missing',
    advice: 'a part of the Cluster is missing; bring its nodes back',
  },
  {
    pattern: /max number of clients/,
    kind: 'connection',
    says: 'it has as many clients as it may',
    advice: 'raise maxclients in Redis, or find out which program holds so many connections',
  },
];

/** No answer at all. */
const TIMEOUT = /^Command timed out|has not answered|does not answer|ETIMEDOUT/;
const OF_CLUSTER = /\b(MOVED|ASK|TRYAGAIN|CROSSSLOT)\b|non local key/;

/** The kind of an error that a command or a connection failed with. */
export function redisErrorKind(error: unknown): RedisErrorKind {
  if (!(error instanceof Error)) return 'other';
  const { message, name } = error;
  if (isDamage(error)) return 'damage';
  if (lateAt(error) !== undefined) return 'late';
  if (TIMEOUT.test(message)) return 'timeout';
  if (OF_CLUSTER.test(message)) return 'cluster';
  return refusalIn(message)?.kind ?? (name === 'ReplyError' ? 'other' : 'connection');
}

/** The end of the sentence "Redis is away: …" for an error that is no refusal. */
const NO_REFUSALS: Readonly<Partial<Record<RedisErrorKind, string>>> = {
  timeout: 'it does not answer',
  connection: 'it cannot be reached',
};

/** What is wrong with Redis, as the end of a sentence that begins with it. */
export function whatRedisSays(error: unknown): string {
  const row = error instanceof Error && !TIMEOUT.test(error.message) ? refusalIn(error.message) : undefined;
  return row?.says ?? NO_REFUSALS[redisErrorKind(error)] ?? 'it answers with an error';
}

function refusalIn(message: string): RedisRefusal | undefined {
  return REFUSALS.find(({ pattern }) => pattern.test(message));
}
