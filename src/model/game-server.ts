/**
 * The types of a game server and of its entry, and the JSON schemas of the requests of game servers. Names are short in
 * the code; only requests have the `server_` names.
 */

import { createHash, randomBytes } from 'node:crypto';
import type { Details } from './fields/details.ts';
import {
  integerSchema,
  ipSchema,
  requestSchema,
  textSchema,
  type FieldSchema,
} from './fields/field-schema.ts';

/** 128 bits as URL-safe text, either random or a hash. An id reveals nothing of its game server. */
export type GameServerId = string;

/** The beginning of every unlisted id: all code that has such an id knows that the list does not show the entry. */
export const UNLISTED_MARK = '~';

/** Whether only those who know the id, or its join code, can find the entry. */
export function isUnlisted(id: GameServerId): boolean {
  return id.startsWith(UNLISTED_MARK);
}

/** A random id for a listed entry. Ids of unlisted entries are made in unlisted-id.ts. */
export function createGameServerId(): GameServerId {
  return randomBytes(16).toString('base64url');
}

/** The id of a broadcast with this Idempotency-Key: the same for one key and address, on every replica, at any time. */
export function deriveGameServerId(idempotencyKey: string, { host, ip, port }: GameServer): GameServerId {
  const text = JSON.stringify([idempotencyKey, host, ip, port]);
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

/** The facts that a game server sends about itself. */
export interface GameServer {
  readonly host: string;
  readonly name: string;
  /** 1 to 65535. */
  readonly port: number;
  /** An IPv4 or IPv6 literal in canonical form (parseIp). */
  readonly ip: string;
  readonly players: number;
  /** Possibly smaller than `players`: some games keep reserved slots. */
  readonly maxPlayers: number;
  /** The further facts. Undefined if the game server sends none: the details stay as before, or empty. */
  readonly details?: Details;
}

/** A time in µs since the epoch, in 2112. No correct clock gets there, and there are enough versions above it. */
export const LATEST_VERSION_BY_CLOCK = 2 ** 52;

/** A version from here on was not written by GSLS. */
export const VERSION_LIMIT = 1.5 * LATEST_VERSION_BY_CLOCK;

/** Facts about an entry that only GSLS knows, and the list does not show. */
export interface Standing {
  /** Whether its server token was used: from then on the entry answers to that alone. A claim is never undone. */
  readonly isClaimed: boolean;
  /** The address of the client that broadcast it, in canonical form; '' if the entry came from no request. */
  readonly client: string;
  /** The outcome of the last attempt to reach the game server (REACHED if it answered); '' if there was none. */
  readonly reachability: string;
  /** The players that it answered with; undefined if it was not reached, or its answers have no number. */
  readonly seen?: SeenPlayers | undefined;
}

/** A number of players that a game server told at its address, whatever was announced of it. */
export interface SeenPlayers {
  readonly players: number;
  /** When it was read: whole seconds, in ms since the epoch. The same number may have been read again since. */
  readonly at: number;
}

export const MOST_PLAYERS = 1_000_000;

/**
 * The people among those that a game counts. Most games count their bots as players; where there are more bots than
 * players, this one does not.
 */
export function peopleAmong(players: number, bots: number): number {
  return bots >= 0 && bots <= players ? players - bots : players;
}

/** The standing of an entry about which GSLS knows nothing else. */
export const UNKNOWN_STANDING: Standing = { isClaimed: false, client: '', reachability: '' };

/** The reachability of a game server that answered. */
export const REACHED = 'answered';

/** A game server with its place in the list. */
export interface ListedGameServer extends GameServer, Standing {
  readonly id: GameServerId;
  readonly details: Details;
  /** The version of its broadcast: the list is ordered by it. */
  readonly registeredVersion: number;
  /** The version of its last visible change. */
  readonly version: number;
  /** The labels that moderators gave it, in order; undefined for none. The game server itself cannot set them. */
  readonly labels?: readonly string[] | undefined;
  /** The number of players that is shown in place of `players`; undefined where that one is. */
  readonly shownPlayers?: number | undefined;
}

/** The number of players that readers get, except in `GET /`. */
export function shownPlayersOf({
  shownPlayers,
  players,
}: Pick<ListedGameServer, 'players' | 'shownPlayers'>): number {
  return shownPlayers ?? players;
}

export function hasSameSeen({ seen }: Pick<Standing, 'seen'>, other: Pick<Standing, 'seen'>): boolean {
  return seen?.players === other.seen?.players && seen?.at === other.seen?.at;
}

/** Whether two states of an entry have the same labels. */
export function hasSameLabels(
  { labels = [] }: Pick<ListedGameServer, 'labels'>,
  { labels: others = [] }: Pick<ListedGameServer, 'labels'>,
): boolean {
  return labels.length === others.length && labels.every((label, at) => label === others[at]);
}

/** Whether the game server sends nothing new about its entry. */
export function saysTheSame(gameServer: GameServer, entry: ListedGameServer): boolean {
  return gameServer.players === entry.players && saysOtherPlayersAtMost(gameServer, entry);
}

/** Whether the game server sends nothing new about its entry, except perhaps its players. */
export function saysOtherPlayersAtMost(gameServer: GameServer, entry: ListedGameServer): boolean {
  const { name, maxPlayers, port, host, ip, details } = gameServer;
  return (
    name === entry.name &&
    maxPlayers === entry.maxPlayers &&
    port === entry.port &&
    host === entry.host &&
    ip === entry.ip &&
    (details === undefined || details.text === entry.details.text)
  );
}

const id: FieldSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 64,
  description: 'the id that broadcast returned, a string of 1 to 64 characters',
};

const gameServerFields = {
  server_host: textSchema(253),
  server_name: textSchema(128),
  server_port: integerSchema(1, 65_535),
  server_ip: ipSchema,
  players: integerSchema(0, MOST_PLAYERS),
  max_players: integerSchema(0, MOST_PLAYERS),
};

export interface BroadcastFields {
  readonly server_host: string;
  readonly server_name: string;
  readonly server_port: number;
  readonly server_ip: string;
  readonly players: number;
  readonly max_players: number;
}

/** The field that only a broadcast has. */
export interface UnlistedField {
  readonly unlisted?: boolean;
}

export interface PingFields extends BroadcastFields {
  readonly server_id: string;
}

export interface RemoveFields extends Pick<PingFields, 'server_id' | 'server_ip'> {
  readonly keep_id?: boolean;
}

const trueOrFalse: FieldSchema = { type: 'boolean', description: 'true or false' };

export const broadcastSchema = requestSchema<BroadcastFields & UnlistedField>(
  { ...gameServerFields, unlisted: trueOrFalse },
  Object.keys(gameServerFields),
);
export const pingSchema = requestSchema<PingFields>({ server_id: id, ...gameServerFields });
export const removeSchema = requestSchema<RemoveFields>(
  { server_id: id, server_ip: ipSchema, keep_id: trueOrFalse },
  ['server_id', 'server_ip'],
);
