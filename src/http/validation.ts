/**
 * Turns the fields of a client into the values of the registry. An error names all wrong fields at once; unknown
 * fields are dropped. Knows nothing of HTTP.
 */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { ServiceError, type FieldError } from '../errors.ts';
import {
  broadcastSchema,
  pingSchema,
  removeSchema,
  type BroadcastFields,
  type FieldSchema,
  type GameServer,
  type GameServerId,
  type PingFields,
  type RequestSchema,
} from '../registry/game-server.ts';
import { parseIp } from '../registry/ip.ts';
import { isHarmless, isVisible } from './text-rules.ts';

const ajv = createAjv((text) => isHarmless(text) && isVisible(text));

/** For texts that were listed before the rule of visible text. */
const olderAjv = createAjv(isHarmless);

/** Knows the formats `text`, `ip` and `count`. */
export function createAjv(isText: (text: string) => boolean): Ajv {
  // The schemas are typed code of GSLS: checking them by the schema of schemas would only slow down each start.
  return new Ajv({
    allErrors: true,
    ownProperties: true,
    messages: false,
    meta: false,
    validateSchema: false,
  })
    .addFormat('text', isText)
    .addFormat('ip', (value: string) => parseIp(value) !== undefined)
    .addFormat('count', { type: 'number', validate: (value: number) => !Object.is(value, -0) });
}

export interface Broadcast {
  readonly gameServer: GameServer;
  /** Undefined if the game server does not say. */
  readonly unlisted: boolean | undefined;
}

/** Throws a ServiceError `invalid_request`. */
export function parseBroadcast(fields: unknown): Broadcast {
  const checked = checkBroadcast(fields);
  return { gameServer: toGameServer(checked), unlisted: checked.unlisted };
}

export interface Ping {
  readonly id: GameServerId;
  readonly gameServer: GameServer;
  /** The error of a host or name that is valid only if the entry is listed with it already. */
  readonly objection: ServiceError | undefined;
}

/** The id and game server of a ping. Throws a ServiceError `invalid_request`. */
export function parsePing(fields: unknown): Ping {
  let objection: ServiceError | undefined;
  try {
    checkPing(fields);
  } catch (error) {
    if (!isOlderPing(fields)) throw error;
    objection = error as ServiceError;
  }
  const checked = fields as PingFields;
  return { id: checked.server_id, gameServer: toGameServer(checked), objection };
}

/** The id and IP of a remove. Throws a ServiceError `invalid_request`. */
export function parseRemove(fields: unknown): { id: GameServerId; ip: string } {
  const checked = checkRemove(fields);
  return { id: checked.server_id, ip: parseIp(checked.server_ip)! };
}

/** The fields of a ping from a query: the text of an integer becomes a number. */
export function coerceQuery(query: NodeJS.Dict<string | string[]>): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...query };
  for (const [name, schema] of Object.entries(pingSchema.properties)) {
    const value = fields[name];
    if (schema.type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value))
      fields[name] = Number(value);
  }
  return fields;
}

const checkBroadcast = createCheck(broadcastSchema);
const checkPing = createCheck(pingSchema);
const checkRemove = createCheck(removeSchema);
const isOlderPing = olderAjv.compile<PingFields>(pingSchema);

/**
 * The check of a request by its schema, and by further rules, which say what else is wrong. It throws a ServiceError
 * `invalid_request`.
 */
export function createCheck<Fields>(
  schema: RequestSchema<Fields>,
  formats: Ajv = ajv,
  furtherProblems: (fields: object) => readonly FieldError[] = () => [],
): (fields: unknown) => Fields {
  const validate: ValidateFunction<Fields> = formats.compile(schema);
  const example = `{"${Object.keys(schema.properties).join('": …, "')}": …}`;
  return (fields) => {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw new ServiceError('invalid_request', {
        message: `send a JSON object like ${example} as the body`,
      });
    }
    const further = furtherProblems(fields);
    const isValid = validate(fields);
    if (isValid && further.length === 0) return fields;
    const wrong = isValid ? [] : describe(validate.errors!, { ...schema.properties });
    const details = [...wrong, ...further];
    throw new ServiceError('invalid_request', {
      message: details.map(({ field, message }) => `${field} ${message}`).join('; '),
      details,
    });
  };
}

/** At most one entry for each field, in the order of the schema. */
function describe(
  errors: readonly ErrorObject[],
  properties: Readonly<Record<string, FieldSchema>>,
): FieldError[] {
  const missing = new Set(
    errors.map((error) => (error.params as { missingProperty?: string }).missingProperty),
  );
  const wrong = new Set(errors.map((error) => error.instancePath.slice(1)));
  return Object.entries(properties).flatMap(([field, { description }]) => {
    if (missing.has(field)) return { field, message: 'is missing' };
    return wrong.has(field) ? { field, message: `must be ${description}` } : [];
  });
}

function toGameServer(fields: BroadcastFields): GameServer {
  return {
    host: fields.server_host,
    name: fields.server_name,
    port: fields.server_port,
    ip: parseIp(fields.server_ip)!,
    players: fields.players,
    maxPlayers: fields.max_players,
  };
}
