/**
 * Parses the fields of a game server into the values of the registry. An error names all wrong fields at once; unknown
 * fields are dropped.
 */

import type { FieldError } from '../../model/service-error.ts';
import {
  DETAIL_NAMES,
  detailSchemas,
  type DetailFields,
  type DetailName,
  type SaidDetails,
} from '../../model/fields/detail-fields.ts';
import { Details, NO_DETAILS } from '../../model/fields/details.ts';
import { requestSchema } from '../../model/fields/field-schema.ts';
import {
  broadcastSchema,
  pingSchema,
  removeSchema,
  type BroadcastFields,
  type GameServer,
  type GameServerId,
  type ListedGameServer,
  type PingFields,
  type UnlistedField,
} from '../../model/game-server.ts';
import { parseIp } from '../../model/net/ip.ts';
import { ajv, createCheck, type FurtherProblems } from '../http/checks/request-check.ts';
import { isClear } from '../../model/text-rules.ts';
import type { CountryOf } from '../http/context.ts';
import { located } from './found-country.ts';

/** A rule of the service's operator for details, beyond their own rules: returns the fields that break it. */
export type DetailsRule = (details: SaidDetails) => readonly FieldError[];

export interface Broadcast {
  /** The game server; it has no details if the broadcast names none. */
  readonly gameServer: GameServer;
  /** Undefined if the broadcast does not have the field. */
  readonly unlisted: boolean | undefined;
}

/** Throws a ServiceError `invalid_request`. The rule does not judge a country that `countryOf` finds. */
export function parseBroadcast(fields: unknown, rule?: DetailsRule, countryOf?: CountryOf): Broadcast {
  const checked = checkBroadcast(fields, problemsBy(rule, true));
  const gameServer = toGameServer(checked, detailsOf(checked) ?? NO_DETAILS);
  return { gameServer: located(gameServer, undefined, countryOf), unlisted: checked.unlisted };
}

export interface Ping {
  readonly id: GameServerId;
  readonly gameServer: GameServer;
}

/**
 * The parser of pings, which throws as parseBroadcast() does. A ping that names no details leaves them undefined,
 * unless the entry is to have another country than was found before.
 * `entryOf`: the entry as far as this replica knows it. Nearly all pings repeat it, except for its players, and repeat
 * details that were found valid: only the players are then checked again. The texts are those of the entry, since new
 * equal ones would only keep the garbage collector busy.
 */
export function createPingParser(
  rule: DetailsRule | undefined,
  entryOf: (id: GameServerId) => ListedGameServer | undefined,
  countryOf?: CountryOf,
): (fields: unknown) => Ping {
  const valid = new WeakSet<Details>();
  const problems = problemsBy(rule, false);

  function pingOf(id: GameServerId, said: GameServer, known: Details | undefined): Ping {
    const gameServer = located(said, known, countryOf);
    const { details } = gameServer;
    if (said.details !== undefined && details !== undefined && details !== known) {
      valid.add(details);
      if (known?.text === details.text) valid.add(known);
    }
    return { id, gameServer };
  }

  return (fields) => {
    const { server_id: id } = (fields ?? {}) as Readonly<Record<string, unknown>>;
    const entry = typeof id === 'string' ? entryOf(id) : undefined;
    const known = entry?.details;
    const found = countryOf && known?.fields.country_found ? 'country' : undefined;
    const isRepeated =
      known !== undefined && valid.has(known) && nameTheSame(fields as PingFields, known, found);
    if (entry !== undefined && repeatsTexts(fields as PingFields, entry) && hasValidPlayers(fields)) {
      if (isRepeated) return pingOf(entry.id, repeated(entry, fields, known), known);
      if (nameNone(fields)) return pingOf(entry.id, repeated(entry, fields, undefined), known);
    }
    if (isRepeated) checkRepeatedPing(fields);
    else checkPing(fields, problems);
    const checked = fields as PingFields;
    return pingOf(checked.server_id, toGameServer(checked, isRepeated ? known : detailsOf(checked)), known);
  };
}

/** A remove. `keepsId`: whether the game server wants to come back under its id. */
export interface Remove extends Pick<ListedGameServer, 'id' | 'ip'> {
  readonly keepsId: boolean;
}

/** Throws a ServiceError `invalid_request`. */
export function parseRemove(fields: unknown): Remove {
  const { server_id: id, server_ip: ip, keep_id: keepsId = false } = checkRemove(fields);
  return { id, ip: parseIp(ip)!, keepsId };
}

/** The fields of a broadcast. */
export const broadcastRequest = requestSchema<BroadcastFields & UnlistedField & SaidDetails>(
  { ...broadcastSchema.properties, ...detailSchemas },
  broadcastSchema.required,
);

/** The fields of a ping. */
export const pingRequest = requestSchema<PingFields & SaidDetails>(
  { ...pingSchema.properties, ...detailSchemas },
  pingSchema.required,
);

const checkBroadcast = createCheck(broadcastRequest);
const checkPing = createCheck(pingRequest);
/** The check of a ping that repeats valid details. */
const checkRepeatedPing = createCheck(pingSchema);
const checkRemove = createCheck(removeSchema);
/** Whether the players are valid, whatever else the fields are. */
export const hasValidPlayers = ajv.compile<Pick<PingFields, 'players'>>(
  requestSchema<Pick<PingFields, 'players'>>({ players: pingSchema.properties.players }),
);

/** Whether a ping repeats its entry, except for players and details, in texts that are clear. */
function repeatsTexts(fields: PingFields, { host, name, port, ip, maxPlayers }: GameServer): boolean {
  return (
    fields.server_name === name &&
    fields.server_host === host &&
    fields.server_ip === ip &&
    fields.server_port === port &&
    fields.max_players === maxPlayers &&
    isClear(name) &&
    isClear(host)
  );
}

/** The game server of a ping that repeats its entry, except for its players and details. */
function repeated(
  { host, name, port, ip, maxPlayers }: ListedGameServer,
  { players }: Pick<PingFields, 'players'>,
  details: Details | undefined,
): GameServer {
  const gameServer = { host, name, port, ip, players, maxPlayers };
  return details === undefined ? gameServer : { ...gameServer, details };
}

/** The problems that the rule finds in details that are valid by themselves. `always`: also if no detail is named. */
function problemsBy(rule: DetailsRule | undefined, always: boolean): FurtherProblems | undefined {
  if (rule === undefined) return undefined;
  return (fields, wrong) => {
    const named = namedDetails(fields);
    if (named === undefined && !always) return [];
    const sound = Object.entries(named ?? {}).filter(([field]) => !wrong.has(field));
    return rule(Object.fromEntries(sound)).filter(({ field }) => !wrong.has(field));
  };
}

function toGameServer(fields: BroadcastFields, details: Details | undefined): GameServer {
  const gameServer = {
    host: fields.server_host,
    name: fields.server_name,
    port: fields.server_port,
    ip: parseIp(fields.server_ip)!,
    players: fields.players,
    maxPlayers: fields.max_players,
  };
  return details === undefined ? gameServer : { ...gameServer, details };
}

/** Whether the fields name no detail. */
function nameNone(fields: object): boolean {
  for (const name of DETAIL_NAMES) if (Object.hasOwn(fields, name)) return false;
  return true;
}

/** The details that the fields name, as they came, in an object of their own. Undefined if they name none. */
function namedDetails(fields: object): DetailFields | undefined {
  let named: Record<string, unknown> | undefined;
  for (const name of DETAIL_NAMES)
    if (Object.hasOwn(fields, name)) (named ??= {})[name] = (fields as DetailFields)[name];
  return named;
}

function detailsOf(fields: object): Details | undefined {
  const named = detailFieldsOf(fields);
  return named && Details.of(named);
}

/** The details of valid fields. A tag that is there twice counts once. Undefined if no detail is named. */
export function detailFieldsOf(fields: object): DetailFields | undefined {
  const named: { -readonly [Name in keyof DetailFields]: DetailFields[Name] } | undefined =
    namedDetails(fields);
  if (named === undefined) return undefined;
  // Values are copied only where something differs: each ping with details comes through here.
  const { tags, addresses } = named;
  if (tags?.some((each, at) => tags.indexOf(each) < at)) named.tags = [...new Set(tags)];
  if (addresses !== undefined)
    named.addresses = addresses.map((each) => ({ ip: parseIp(each.ip)!, port: each.port }));
  return named;
}

/**
 * Whether the fields name exactly these details, written as they are kept: that is far cheaper than to check them.
 * `found`: the one that the service has found, which they must not name.
 */
export function nameTheSame(fields: object, { fields: known }: Details, found?: DetailName): boolean {
  for (const name of DETAIL_NAMES) {
    const value = Object.hasOwn(fields, name) ? (fields as DetailFields)[name] : undefined;
    if (!isSame(value, name === found ? undefined : known[name])) return false;
  }
  return true;
}

/** Whether two values of JSON are the same; the order of keys does not matter. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((each, at) => isSame(each, b[at]));
  const keys = Object.keys(a);
  if (Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame((a as Fields)[key], (b as Fields)[key]));
}

type Fields = Readonly<Record<string, unknown>>;
