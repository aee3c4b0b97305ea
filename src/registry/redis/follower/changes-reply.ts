/** Reads and checks the reply of lua/changes.lua to a follower of the feed. */

import { Details } from '../../../model/fields/details.ts';
import { REACHED, VERSION_LIMIT, type GameServerId, type Standing } from '../../../model/game-server.ts';
import { parseIp } from '../../../model/net/ip.ts';
import { namedIn, TOLD_AT, type NamedReply } from '../scripts/script-contract.ts';
import type {
  ChangesBatch,
  FollowedEntry,
  FollowerPosition,
  ParkedEntry,
  RegistryHealth,
  Tombstone,
} from './changes-batch.ts';
import { parseSeen } from './seen-field.ts';
import { parsePlayerLog } from './player-log.ts';

/** A value of a record; a missing one is null in a reply, and false in JSON. */
type Told = string | null | false;

/** The values of an entry in a reply, at the indices of TOLD_AT. */
export type ToldRecord = readonly Told[];

interface ToldStanding {
  readonly claimed: Told;
  readonly client: Told;
  readonly reachability: Told;
  readonly seen: Told;
}

type NothingNew = readonly [
  digest: string,
  count: number,
  health: [loss: string, isWhole: number],
  now: string | number,
];

interface News extends NamedReply<'news'> {
  readonly epoch: string;
  readonly count: number;
  readonly loss: string;
  readonly isWhole: number;
  readonly silent: number;
  readonly expired: readonly string[];
  readonly tombstones: readonly (string | number)[];
  readonly parked: string;
  readonly records: readonly string[];
  readonly wrongTypes: string;
  readonly lines: string;
  readonly refusal: string;
}

/** Reads the batch for a follower at this position, and the time by the clock of Redis, ms since the epoch. */
export function readChanges(
  reply: unknown,
  position: FollowerPosition,
): { readonly batch: ChangesBatch; readonly now: number } {
  if ((reply as readonly unknown[]).length === 4) {
    const [digest, count, [loss, isWhole], now] = reply as NothingNew;
    const told = { digest: Number(digest), count, health: healthOf(loss, isWhole) };
    return { batch: nothingNew(position, told), now: Number(now) };
  }
  const news = namedIn(reply) as News;
  return { batch: newsIn(news, position), now: Number(news.now) };
}

/** All members are written out: most polls find nothing new, and spreading an object takes a hundred times as long. */
function nothingNew(
  { epoch, cursor, base, logOffset, moderationVersion }: FollowerPosition,
  { digest, count, health }: Pick<ChangesBatch, 'digest' | 'count' | 'health'>,
): ChangesBatch {
  return {
    epoch,
    version: cursor,
    digest,
    count,
    full: false,
    base,
    cursor,
    more: false,
    silent: 0,
    expired: [],
    tombstones: [],
    changed: [],
    playerChanges: [],
    logOffset,
    damaged: [],
    health,
    moderationVersion,
    floor: 0,
    resetVersion: 0,
    isMended: false,
    wrongTypes: [],
    refusal: '',
  };
}

function newsIn(reply: News, position: FollowerPosition): ChangesBatch {
  const { version, lines, logOffset, wrongTypes } = reply;
  const changed = reply.records.flatMap((json) => JSON.parse(json) as ToldRecord[]).map(entryOf);
  const log = lines === '' ? undefined : parsePlayerLog(lines, position.cursor);
  const isLogBroken = log !== undefined && log.upto < Number(version);
  return {
    epoch: reply.epoch,
    version: Number(version),
    digest: Number(reply.digest),
    count: reply.count,
    full: reply.full === 1,
    base: Number(reply.base),
    cursor: log?.upto ?? Number(reply.cursor),
    more: reply.more === 1 || isLogBroken,
    silent: reply.silent,
    expired: reply.expired,
    tombstones: tombstonesOf(reply.tombstones, parkedIn(reply.parked)),
    changed: changed.filter(isGameServer),
    playerChanges: log?.changes ?? [],
    logOffset: isLogBroken ? undefined : logOffset === '' ? position.logOffset : Number(logOffset),
    damaged: changed.filter((entry) => !isGameServer(entry)).map(({ id }) => id),
    health: healthOf(reply.loss, reply.isWhole),
    moderationVersion: Number(reply.moderationVersion),
    floor: Number(reply.floor),
    resetVersion: Number(reply.resetVersion),
    isMended: reply.isMended === 1,
    wrongTypes: wrongTypes === '' ? [] : wrongTypes.split(' '),
    refusal: reply.refusal,
  };
}

/**
 * Reads an entry, whose numbers may be NaN. All members are in one literal: V8 keeps those of a spread in an object of
 * their own, one more for each entry of the list.
 */
export function entryOf(told: ToldRecord): FollowedEntry {
  const ip = textAt(told, 'ip');
  const restoredFrom = told[TOLD_AT.restored_from];
  const { isClaimed, client, reachability, seen } = standingOf(
    {
      claimed: told[TOLD_AT.claimed]!,
      client: told[TOLD_AT.client]!,
      reachability: told[TOLD_AT.reachability]!,
      seen: told[TOLD_AT.seen]!,
    },
    ip,
  );
  return {
    id: textAt(told, 'id'),
    version: numberAt(told, 'version'),
    registeredVersion: numberAt(told, 'registered_at'),
    ip,
    host: textAt(told, 'host'),
    name: textAt(told, 'name'),
    port: numberAt(told, 'port'),
    players: numberAt(told, 'players'),
    maxPlayers: numberAt(told, 'max_players'),
    details: Details.parse(textAt(told, 'details')),
    isClaimed,
    client,
    reachability,
    seen,
    restoredFrom: restoredFrom ? Number(restoredFrom) : undefined,
  };
}

/** The value with this name; '' if it is missing. */
function textAt(told: ToldRecord, name: keyof typeof TOLD_AT): string {
  return told[TOLD_AT[name]] || '';
}

function numberAt(told: ToldRecord, name: keyof typeof TOLD_AT): number {
  return Number(told[TOLD_AT[name]]);
}

/** Reads a standing. `ip`: that of the entry, which most clients have: then both are one string in memory. */
export function standingOf({ claimed, client, reachability, seen }: ToldStanding, ip: string): Standing {
  return {
    isClaimed: claimed === '1',
    client: client === ip ? ip : client && parseIp(client) === client ? client : '',
    reachability: reachability === REACHED ? REACHED : reachability || '',
    seen: reachability === REACHED && seen ? parseSeen(seen) : undefined,
  };
}

/** Whether GSLS may have written the record. The rules for what clients may send can change, and do not count here. */
function isGameServer(entry: FollowedEntry): boolean {
  const { version, registeredVersion, host, name, ip, port, players, maxPlayers } = entry;
  return (
    isVersion(version) &&
    isVersion(registeredVersion) &&
    host !== '' &&
    name !== '' &&
    parseIp(ip) === ip &&
    [port, players, maxPlayers].every((count) => Number.isSafeInteger(count) && count >= 0)
  );
}

function isVersion(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < VERSION_LIMIT;
}

export function healthOf(loss: string, isWhole: number): RegistryHealth {
  return { loss, isWhole: isWhole === 1 };
}

/** Reads a parked entry. `until`: until when it is parked, ms since the epoch. */
export function parkedEntryOf(told: ToldRecord, until: unknown): ParkedEntry {
  return { entry: entryOf(told), until: Number(until) };
}

function parkedIn(json: string): ReadonlyMap<GameServerId, ParkedEntry> {
  const told = json === '' ? [] : (JSON.parse(json) as ToldRecord[]);
  const parked = told.map((each) => parkedEntryOf(each, each.at(-1)));
  const sound = parked.filter(({ entry, until }) => isGameServer(entry) && Number.isSafeInteger(until));
  return new Map(sound.map((each) => [each.entry.id, each]));
}

function tombstonesOf(
  flat: readonly (string | number)[],
  parked: ReadonlyMap<GameServerId, ParkedEntry>,
): Tombstone[] {
  const tombstones: Tombstone[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const id = String(flat[i]);
    const revivable = Number(flat[i + 2]);
    tombstones.push({
      id,
      version: Number(flat[i + 1]),
      revivable: revivable > 0,
      isClaimed: revivable === 2,
      parked: parked.get(id),
    });
  }
  return tombstones;
}
