/**
 * Turns the fields of a game server into the values of the registry. An error names all wrong fields at once; unknown
 * fields are dropped.
 */

import type { FieldError, ServiceError } from '../errors.ts';
import { detailSchemas, type DetailFields } from '../registry/fields/detail-fields.ts';
import { NO_DETAILS, type Details } from '../registry/fields/details.ts';
import { requestSchema } from '../registry/fields/field-schema.ts';
import {
  broadcastSchema,
  pingSchema,
  removeSchema,
  type BroadcastFields,
  type GameServer,
  type GameServerId,
  type PingFields,
  type UnlistedField,
} from '../registry/game-server.ts';
import { parseIp } from '../registry/ip.ts';
import { detailsOf, nameTheSame, namedDetails } from './named-details.ts';
import { createAjv, createCheck, type FurtherProblems } from '../http/checks/request-check.ts';
import { isHarmless } from '../http/checks/text-rules.ts';

/** What the operator of a service asks of details beyond their own rules: what is wrong with these ones. */
export type DetailsRule = (details: DetailFields) => readonly FieldError[];

export interface Broadcast {
  /** One that names no details has none. */
  readonly gameServer: GameServer;
  /** Undefined if the game server does not say. */
  readonly unlisted: boolean | undefined;
}

/** Throws a ServiceError `invalid_request`. */
export function parseBroadcast(fields: unknown, rule?: DetailsRule): Broadcast {
  const checked = checkBroadcast(fields, problemsBy(rule, true));
  return {
    gameServer: toGameServer(checked, detailsOf(checked) ?? NO_DETAILS),
    unlisted: checked.unlisted,
  };
}

export interface Ping {
  readonly id: GameServerId;
  readonly gameServer: GameServer;
  /** The error of a host or name that is valid only if the entry is listed with it already. */
  readonly objection: ServiceError | undefined;
}

/**
 * The parser of pings: a ping that names no details says nothing of them. It throws as parseBroadcast().
 * `detailsOfEntry`: those that an entry has as far as this replica knows. Details that were found valid are not checked
 * again as long as the pings of the entry repeat them.
 */
export function createPingParser(
  rule: DetailsRule | undefined,
  detailsOfEntry: (id: GameServerId) => Details | undefined,
): (fields: unknown) => Ping {
  const valid = new WeakSet<Details>();
  const problems = problemsBy(rule, false);

  return (fields) => {
    const { server_id: id } = (fields ?? {}) as Readonly<Record<string, unknown>>;
    const known = typeof id === 'string' ? detailsOfEntry(id) : undefined;
    const isRepeated = known !== undefined && valid.has(known) && nameTheSame(fields as PingFields, known);
    let objection: ServiceError | undefined;
    try {
      if (isRepeated) checkRepeatedPing(fields);
      else checkPing(fields, problems);
    } catch (error) {
      if (!(error as ServiceError).details?.every(isOfName) || !isOlderPing(fields)) throw error;
      objection = error as ServiceError;
    }
    const checked = fields as PingFields;
    const details = isRepeated ? known : detailsOf(checked);
    if (details !== undefined && !isRepeated) {
      valid.add(details);
      if (known?.text === details.text) valid.add(known);
    }
    return { id: checked.server_id, gameServer: toGameServer(checked, details), objection };
  };
}

/** The id and IP of a remove. Throws a ServiceError `invalid_request`. */
export function parseRemove(fields: unknown): { id: GameServerId; ip: string } {
  const checked = checkRemove(fields);
  return { id: checked.server_id, ip: parseIp(checked.server_ip)! };
}

/** All that a broadcast may say. */
export const broadcastRequest = requestSchema<BroadcastFields & UnlistedField & DetailFields>(
  { ...broadcastSchema.properties, ...detailSchemas },
  broadcastSchema.required,
);

/** All that a ping may say. */
export const pingRequest = requestSchema<PingFields & DetailFields>(
  { ...pingSchema.properties, ...detailSchemas },
  pingSchema.required,
);

const checkBroadcast = createCheck(broadcastRequest);
const checkPing = createCheck(pingRequest);
/** For a ping that repeats valid details. */
const checkRepeatedPing = createCheck(pingSchema);
const checkRemove = createCheck(removeSchema);

/** For texts that were listed before the rule of visible text. */
const isOlderPing = createAjv(isHarmless).compile<PingFields>(pingSchema);

function isOfName({ field }: FieldError): boolean {
  return field === 'server_host' || field === 'server_name';
}

/** What the rule finds wrong with details that are sound by themselves. `always`: also if none is named. */
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
