/**
 * The feed of changes as a replica reads it: where it stands, what a page holds, what there is to write back when Redis
 * has lost something. Knows what lua/changes.lua returns, not how it is called.
 */

import { Details } from '../../details.ts';
import {
  REACHED,
  VERSION_LIMIT,
  type GameServerId,
  type ListedGameServer,
  type Standing,
} from '../../game-server.ts';
import { parseIp } from '../../ip.ts';
import { parsePlayerLog, type PlayerChange } from './player-log.ts';

/** The digest is the sum of the versions of all listed entries, modulo this. */
export const DIGEST_MODULUS = 2 ** 40;

/** What a follower has taken of the feed. */
export interface FeedPosition {
  /** The history it is of; '' before the first page. */
  readonly epoch: string;
  /** The version up to which it has everything. */
  readonly cursor: number;
  /** The version at which this catch-up began: the cursor of its first page. */
  readonly base: number;
  /** Where the player log goes on from the cursor; undefined if that is not known. */
  readonly logOffset: number | undefined;
  /** The version of the last change of what moderators have decided. */
  readonly moderationVersion: number;
}

/** Where a follower begins. */
export const BEGINNING: FeedPosition = {
  epoch: '',
  cursor: 0,
  base: 0,
  logOffset: undefined,
  moderationVersion: 0,
};

export interface ChangesPage {
  readonly epoch: string;
  readonly version: number;
  readonly digest: number;
  readonly count: number;
  readonly full: boolean;
  readonly base: number;
  readonly cursor: number;
  readonly more: boolean;
  /** How many are silent while their expiry is held; else 0. */
  readonly silent: number;
  readonly expired: readonly GameServerId[];
  readonly tombstones: readonly Tombstone[];
  readonly changed: readonly ListedGameServer[];
  /** In order. If there are any, nothing else has changed up to the cursor. */
  readonly playerChanges: readonly PlayerChange[];
  readonly logOffset: number | undefined;
  /** Listed, but what their records hold is no game server. */
  readonly damaged: readonly GameServerId[];
  readonly health: RegistryHealth;
  /** The version of the last change of what moderators have decided. */
  readonly moderationVersion: number;
  /** Tombstones up to this version may be missing; 0 if it is not told. */
  readonly floor: number;
  /** The version at which the registry was last emptied on purpose; 0 if never. */
  readonly resetVersion: number;
  /** Whether the history began because keys were damaged. */
  readonly isMended: boolean;
  /** Names of keys that were deleted because their type was wrong. Reported to one replica, once. */
  readonly wrongTypes: readonly string[];
}

/** Whether the registry may lack what only replicas know. */
export interface RegistryHealth {
  /** Names the last loss that a replica noticed, or the beginning of the registry. */
  readonly loss: string;
  /** Whether all replicas have told what they knew of before the loss. */
  readonly isWhole: boolean;
}

/** What is remembered of a removal. */
export interface Tombstone {
  readonly id: GameServerId;
  /** The version of the removal. */
  readonly version: number;
  /** Whether the entry expired and a ping can revive it; else it was removed for good. */
  readonly revivable: boolean;
  /** Whether only the server token revives it. */
  readonly isClaimed: boolean;
}

/** What a replica knows and Redis may have lost. */
export interface LostState {
  /** The version up to which the replica knew everything. */
  readonly version: number;
  readonly tombstones: readonly Tombstone[];
  readonly listed: readonly ListedGameServer[];
}

/** The values of TOLD_FIELDS (lua/lib/records.lua), the id and the version. */
export type RecordReply = [
  registeredVersion: string,
  ip: string,
  host: string,
  name: string,
  port: string,
  players: string,
  maxPlayers: string,
  ...standing: StandingReply,
  details: string | null,
  id: string,
  version: string,
];
export type StandingReply = [claimed: string | null, client: string | null, reachability: string | null];
type NewsReply = [
  epoch: string,
  version: string,
  digest: string,
  count: number,
  full: number,
  base: string,
  cursor: string,
  more: number,
  silent: number,
  expired: string[],
  tombstones: (string | number)[],
  records: RecordReply[],
  loss: string,
  isWhole: number,
  resetVersion: string,
  wrongTypes: string,
  isMended: number,
  lines: string,
  logOffset: string,
  moderationVersion: string,
  floor: string,
  now: string,
];

/** The reply to a follower that has everything. */
type NothingNewReply = [digest: string, count: number, loss: string, isWhole: number, now: string];

export type ChangesReply = NewsReply | NothingNewReply;

/** The time by the clock of Redis, ms since the epoch, that each page of the feed ends with. */
export function timeOf(reply: ChangesReply): number {
  return Number(reply.at(-1));
}

/** Reads what lua/changes.lua returns to a follower at this position. */
export function parseChanges(reply: ChangesReply, position: FeedPosition): ChangesPage {
  return reply.length === 5 ? nothingNew(reply, position) : parseNews(reply, position);
}

function nothingNew([digest, count, loss, isWhole]: NothingNewReply, position: FeedPosition): ChangesPage {
  return {
    ...position,
    version: position.cursor,
    digest: Number(digest),
    count,
    full: false,
    more: false,
    silent: 0,
    expired: [],
    tombstones: [],
    changed: [],
    playerChanges: [],
    damaged: [],
    health: parseHealth(loss, isWhole),
    floor: 0,
    resetVersion: 0,
    isMended: false,
    wrongTypes: [],
  };
}

function parseNews(reply: NewsReply, position: FeedPosition): ChangesPage {
  const [epoch, version, digest, count, full, base, cursor, more, silent, expired, tombstones, records] =
    reply;
  const [loss, isWhole, resetVersion, wrongTypes, isMended, lines, logOffset, moderationVersion, floor] =
    reply.slice(12) as [string, number, string, string, number, string, string, string, string];
  const changed = records.map(parseRecord);
  const log = lines === '' ? undefined : parsePlayerLog(lines, position.cursor);
  const isLogBroken = log !== undefined && log.upto < Number(version);
  return {
    epoch,
    version: Number(version),
    digest: Number(digest),
    count,
    full: full === 1,
    base: Number(base),
    cursor: log?.upto ?? Number(cursor),
    more: more === 1 || isLogBroken,
    silent,
    expired,
    tombstones: parseTombstones(tombstones),
    changed: changed.filter(isGameServer),
    playerChanges: log?.changes ?? [],
    logOffset: isLogBroken ? undefined : logOffset === '' ? position.logOffset : Number(logOffset),
    damaged: changed.filter((record) => !isGameServer(record)).map(({ id }) => id),
    health: parseHealth(loss, isWhole),
    moderationVersion: Number(moderationVersion),
    floor: Number(floor),
    resetVersion: Number(resetVersion),
    isMended: isMended === 1,
    wrongTypes: wrongTypes === '' ? [] : wrongTypes.split(' '),
  };
}

export function parseRecord(record: RecordReply): ListedGameServer {
  const [registeredVersion, ip, host, name, port, players, maxPlayers, ...rest] = record;
  const [claimed, client, reachability, details, id, version] = rest;
  return {
    id,
    version: Number(version),
    registeredVersion: Number(registeredVersion),
    ip,
    host,
    name,
    port: Number(port),
    players: Number(players),
    maxPlayers: Number(maxPlayers),
    details: Details.parse(details ?? ''),
    ...parseStanding([claimed, client, reachability], ip),
  };
}

/** `ip`: of the entry. Most clients have it: then both are one string in memory. */
export function parseStanding([claimed, client, reachability]: StandingReply, ip: string): Standing {
  return {
    isClaimed: claimed === '1',
    client: client === ip ? ip : client !== null && parseIp(client) === client ? client : '',
    reachability: reachability === REACHED ? REACHED : (reachability ?? ''),
  };
}

/** Whether a record holds what GSLS writes. The rules for what clients may send can change; they do not count here. */
function isGameServer(entry: ListedGameServer): boolean {
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

export function parseHealth(loss: string, isWhole: number): RegistryHealth {
  return { loss, isWhole: isWhole === 1 };
}

function parseTombstones(flat: readonly (string | number)[]): Tombstone[] {
  const tombstones: Tombstone[] = [];
  for (let i = 0; i < flat.length; i += 3) {
    const revivable = Number(flat[i + 2]);
    tombstones.push({
      id: String(flat[i]),
      version: Number(flat[i + 1]),
      revivable: revivable > 0,
      isClaimed: revivable === 2,
    });
  }
  return tombstones;
}
