/**
 * The schemas of the bodies of answers, by their names. Clients must accept fields that are not here yet. The fields
 * that a game server sets have the schemas of its requests.
 */

import { ERRORS, type ErrorCode } from '../../../model/errors.ts';
import { detailSchemas, PROTOCOL_FIELDS } from '../../../model/fields/detail-fields.ts';
import { moderationSchemas } from './moderation-schemas.ts';
import { broadcastSchema } from '../../../model/game-server.ts';
import { oneExample } from './examples.ts';
import { HISTORY_SCHEMAS } from './history-schemas.ts';
import type { Content } from './operation.ts';
import type { Schema } from './parameter.ts';
import { ORIGINS as origins } from './origin-schemas.ts';
import { propertySchemas } from './request-schemas.ts';
import { arrayOf, BOOLEAN, COUNT, ID, object, reference, SUCCESS, TAG, TEXT, TIME } from './schemas.ts';

/** The body of an error with one of these codes. */
export function errorSchema(codes: readonly ErrorCode[]): Schema {
  return object(
    {
      status: { type: 'string', const: 'error' },
      error: { type: 'string', description: 'What is wrong, for people.' },
      code: { type: 'string', enum: codes, description: 'What is wrong, for programs.' },
      details: { ...arrayOf(reference('FieldError')), description: 'Every field that is wrong.' },
    },
    ['details'],
  );
}

const asked = propertySchemas(broadcastSchema.properties);
const gameServer = {
  id: ID,
  host: asked['server_host']!,
  name: asked['server_name']!,
  port: asked['server_port']!,
  ip: { type: 'string', description: 'Its public address.' },
  players: asked['players']!,
  max_players: asked['max_players']!,
};
const details = {
  ...propertySchemas(detailSchemas),
  protocol: { ...TEXT, description: `${PROTOCOL_FIELDS.protocol.meaning}.` },
  game: { ...TEXT, description: `${PROTOCOL_FIELDS.game.meaning}.` },
  origin: { ...TEXT, description: `${PROTOCOL_FIELDS.origin.meaning}.` },
  country_found: { ...BOOLEAN, description: `${PROTOCOL_FIELDS.country_found.meaning}.` },
  also_at: { ...arrayOf(TEXT), description: `${PROTOCOL_FIELDS.also_at.meaning}.` },
};
const labels = {
  ...arrayOf(TEXT),
  description: 'The labels that the operator gave it: its game server cannot set them.',
};
const seen = {
  players_seen: {
    ...COUNT,
    description:
      'How many players the game server itself told when it was asked at its address. With --players-seen `players` is the same number.',
  },
  players_seen_at: {
    ...TIME,
    description: 'When that was read. The same number may have been read again up to 20 minutes later.',
  },
};
const nearMs = {
  ...COUNT,
  description:
    'How long a packet from the reader to it takes and back, in ms: an estimate, for a query with `near`. Missing where it cannot be told.',
};
const registeredAt = { ...TIME, description: 'When it was broadcast.' };

/** A server as all lists but that of `GET /` show it, and which of its members may be missing. */
const listed = {
  ...gameServer,
  ...details,
  labels,
  ...seen,
  registered_at: registeredAt,
  near_ms: nearMs,
};
const optional = [...Object.keys(details), 'labels', ...Object.keys(seen), 'near_ms'];

const changes = {
  servers: { ...arrayOf(reference('ListedServer')), description: 'New ones, and those that have changed.' },
  removed: { ...arrayOf(ID), description: 'Ids to forget, some of which the client perhaps never had.' },
  full: { ...BOOLEAN, description: 'Whether `servers` is everything: then forget all others.' },
  tag: TAG,
};

const facet = arrayOf(object({ value: TEXT, servers: COUNT, players: COUNT }));
const others = object({ servers: COUNT, players: COUNT });

export const ANSWER_SCHEMAS = {
  FieldError: object({
    field: { type: 'string', description: 'The name that the request used.' },
    message: { type: 'string', description: 'Completes the name: "must be …", "is missing".' },
  }),
  Error: errorSchema(Object.keys(ERRORS) as ErrorCode[]),
  Success: object({ status: SUCCESS }),
  Broadcasted: object({ status: SUCCESS, server_id: ID }),
  Health: object({ timestamp: TIME, server_count: COUNT, origins }, ['origins']),
  GameServer: object(gameServer),
  List: object({ servers: arrayOf(reference('GameServer')), count: COUNT }),
  ListedServer: object(listed, optional),
  Page: object({
    status: SUCCESS,
    servers: arrayOf(reference('ListedServer')),
    count: { ...COUNT, description: 'On this page.' },
    total: { ...COUNT, description: 'Of all that match.' },
    next: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last one.' },
  }),
  OneServer: object({ status: SUCCESS, server: reference('ListedServer') }),
  Beacons: object({
    status: SUCCESS,
    beacons: arrayOf(
      object(
        {
          id: { ...TEXT, description: 'Its name in `latency` and `near`.' },
          url: { ...TEXT, description: 'A GET of it is answered at once, with nothing.' },
          place: { ...TEXT, description: 'Where it is, for people.' },
          latency: {
            type: 'object',
            additionalProperties: { type: 'number' },
            description: 'How far other beacons are, in ms. Each pair is told once, at either of the two.',
          },
        },
        ['place'],
      ),
    ),
  }),
  Stats: object(
    {
      status: SUCCESS,
      servers: COUNT,
      players: COUNT,
      max_players: COUNT,
      empty: COUNT,
      full: COUNT,
      regions: facet,
      other_regions: others,
      countries: facet,
      other_countries: others,
      modes: facet,
      other_modes: others,
      maps: facet,
      other_maps: others,
      versions: facet,
      other_versions: others,
      labels: { ...facet, description: 'The labels that any of them has.' },
      origins,
    },
    ['labels', 'origins'],
  ),
  Changes: object({ status: SUCCESS, ...changes }),
  ChangesEvent: {
    ...object(changes),
    description: 'The `data` of an event `changes` of the stream, as JSON.',
  },
  StateEvent: {
    ...object(
      {
        stale: { ...BOOLEAN, description: 'Whether the list is not current: the registry is unavailable.' },
        as_of: { ...TIME, description: 'When it was known to be current last, if it is not now.' },
      },
      ['as_of'],
    ),
    description: 'The `data` of an event `state` of the stream, as JSON.',
  },
  ...HISTORY_SCHEMAS,
  Diagnosis: object(
    {
      status: SUCCESS,
      client_address: {
        ...TEXT,
        description: 'The address that the request came from, as the service sees it.',
      },
      listed: { ...BOOLEAN, description: 'Whether the list shows the game server.' },
      cause: {
        ...TEXT,
        description:
          'What was found, for programs: `listed` if all is well, the code of an error, or the name of another cause. New ones may come.',
      },
      says: { ...TEXT, description: 'The same for people.' },
      next_step: { ...TEXT, description: 'The one thing to do next.' },
      entry: {
        ...object(
          {
            id: ID,
            name: TEXT,
            host: TEXT,
            ip: TEXT,
            port: COUNT,
            registered_at: registeredAt,
            expires_at: { ...TIME, description: 'When it expires without a ping, or when it has expired.' },
            kept_until: {
              ...TIME,
              description: 'Until when its token brings it back, if it has left with `keep_id`.',
            },
            join_code: {
              ...TEXT,
              description: 'With its token, of an unlisted one: by which players find it.',
            },
          },
          ['expires_at', 'kept_until', 'join_code'],
        ),
        description: 'The entry, if there is one that the asker may know of.',
      },
      checks: {
        ...arrayOf(
          object({
            code: { ...TEXT, description: 'What was looked at. New ones may come.' },
            result: { type: 'string', enum: ['fine', 'wrong', 'unknown'] },
            says: TEXT,
          }),
        ),
        description: 'What was looked at.',
      },
    },
    ['entry'],
  ),
  ...moderationSchemas(listed, optional),
} satisfies Readonly<Record<string, Schema>>;

/** A body of this schema, with one example. */
export function json(
  schema: keyof typeof ANSWER_SCHEMAS,
  summary: string,
  value: unknown,
): Readonly<Record<string, Content>> {
  return { 'application/json': { schema: reference(schema), examples: oneExample(summary, value) } };
}
