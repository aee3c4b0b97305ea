/**
 * What another program may do to the keys of the unnamed registry: anything, short of what looks like a removal by
 * GSLS.
 */

import * as fc from 'fast-check';
import type { Redis } from 'ioredis';

const SORTED_SETS = [
  'servers',
  'changes',
  'removed',
  'clients',
  'expired',
  'lifetimes',
  'documents',
] as const;
const STATE_FIELDS =
  'epoch loss wholeAt version digest floor resetAs mendedAs newestSweepAt graceUntil heldSince ownHolds missingSince wrongTypes playerLogStart hasSecret'.split(
    ' ',
  );
const RECORD_FIELDS =
  'ip port players max_players registered_at version kept_until expired_at restored_from restored_until restored_tombstone_version claimed client reachability details links document'.split(
    ' ',
  );
const SETTINGS_FIELDS = ['secret', 'moderation', 'moderationVersion', 'moderationAfter'] as const;
/** Any text can be one of these; none is not. */
const TEXT_FIELDS = ['host', 'name'] as const;
const ABSURD_NUMBERS = ['-inf', '-1', '0', '9007199254740992', '99999999999999999', '+inf'] as const;
const ABSURD_TEXTS = [
  '',
  'x',
  '\n',
  '{',
  'nan',
  '1e999',
  '-7',
  '0.5',
  '99999999999999999',
  '9007199254740992',
] as const;

const SHARED_KEYS = [
  'servers',
  'changes',
  'removed',
  'state',
  'addresses',
  'player-log',
  'clients',
  'expired',
  'settings',
  'lifetimes',
  'documents',
];

/** A name that ends in `#3` means the id, or the record, of the fourth entry; the last is of none. */
const id = fc.nat({ max: 6 }).map((n) => `#${n}`);
const record = id.map((name) => `server:${name}`);
const key = fc.oneof(fc.constantFrom(...SHARED_KEYS), record);
const field = fc.oneof(
  fc.tuple(fc.constant('state'), fc.constantFrom(...STATE_FIELDS)),
  fc.tuple(fc.constant('settings'), fc.constantFrom(...SETTINGS_FIELDS)),
  fc.tuple(record, fc.constantFrom(...RECORD_FIELDS)),
);
const sortedSet = fc.constantFrom(...SORTED_SETS);

/** A command of Redis; its key lacks the prefix of the registry. */
export const damage: fc.Arbitrary<readonly string[]> = fc.oneof(
  key.map((name) => ['DEL', name]),
  key.map((name) => ['SET', name, 'x']),
  fc.constantFrom('x', ' ', '\n', '1 2 3 4\n').map((text) => ['APPEND', 'player-log', text]),
  fc.nat({ max: 80 }).map((offset) => ['SETRANGE', 'player-log', String(offset), '7']),
  field.map(([name, each]) => ['HDEL', name, each]),
  fc.tuple(field, fc.constantFrom(...ABSURD_TEXTS)).map(([[name, each], text]) => ['HSET', name, each, text]),
  fc.tuple(record, fc.constantFrom(...TEXT_FIELDS)).map(([name, each]) => ['HSET', name, each, '']),
  fc.tuple(record, fc.constantFrom(...TEXT_FIELDS)).map(([name, each]) => ['HDEL', name, each]),
  fc.tuple(sortedSet, id).map(([name, member]) => ['ZREM', name, member]),
  fc
    .tuple(sortedSet, fc.constantFrom(...ABSURD_NUMBERS), id)
    .map(([name, score, member]) => ['ZADD', name, score, member]),
);

/** `ids`: those that `#0`, `#1`, … stand for. What an earlier damage has made impossible does nothing. */
export async function carryOut(
  client: Redis,
  [command, name, ...rest]: readonly string[],
  ids: readonly string[],
): Promise<void> {
  const [fullName, ...args] = [`{gsls}:${name}`, ...rest].map((word) =>
    word.replace(/#(\d)$/, (_all, n: string) => ids[Number(n)] ?? 'ghost'),
  );
  await client.call(command!, fullName!, ...args).catch(() => undefined);
}
