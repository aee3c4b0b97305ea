/**
 * The schemas of the bodies of answers, by their names. Clients must accept fields that are not here yet. The fields
 * that a game server sets have the schemas of its requests.
 */

import { ERRORS, type ErrorCode } from '../../../model/errors.ts';
import { detailSchemas, PROTOCOL_FIELDS } from '../../../model/fields/detail-fields.ts';
import { banFields } from '../../../registry/bans/ban-fields.ts';
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
  also_at: { ...arrayOf(TEXT), description: `${PROTOCOL_FIELDS.also_at.meaning}.` },
};
const registeredAt = { ...TIME, description: 'When it was broadcast.' };

const changes = {
  servers: { ...arrayOf(reference('ListedServer')), description: 'New ones, and those that have changed.' },
  removed: { ...arrayOf(ID), description: 'Ids to forget, some of which the client perhaps never had.' },
  full: { ...BOOLEAN, description: 'Whether `servers` is everything: then forget all others.' },
  tag: TAG,
};

const facet = arrayOf(object({ value: TEXT, servers: COUNT, players: COUNT }));
const others = object({ servers: COUNT, players: COUNT });

const ban = {
  ban: { ...ID, description: 'The id of the ban itself.' },
  ...propertySchemas(banFields),
  author: TEXT,
  created_at: TIME,
  expires_at: { ...TIME, description: 'Its end; a ban without it has none.' },
};
const PATTERNS_AND_END = ['id', 'address', 'host', 'name', 'expires_at'];

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
  ListedServer: object({ ...gameServer, ...details, registered_at: registeredAt }, Object.keys(details)),
  Page: object({
    status: SUCCESS,
    servers: arrayOf(reference('ListedServer')),
    count: { ...COUNT, description: 'On this page.' },
    total: { ...COUNT, description: 'Of all that match.' },
    next: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last one.' },
  }),
  OneServer: object({ status: SUCCESS, server: reference('ListedServer') }),
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
      modes: facet,
      other_modes: others,
      maps: facet,
      other_maps: others,
      versions: facet,
      other_versions: others,
      origins,
    },
    ['origins'],
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
  Ban: object(ban, PATTERNS_AND_END),
  NewBan: object(
    { status: SUCCESS, ...ban, matches: { ...COUNT, description: 'How many entries it matches now.' } },
    PATTERNS_AND_END,
  ),
  Bans: object({ status: SUCCESS, bans: arrayOf(reference('Ban')), count: COUNT }),
  Audit: object({
    status: SUCCESS,
    audit: {
      ...arrayOf(
        object(
          {
            at: TIME,
            author: { type: 'string', description: 'What the request says; empty for GSLS itself.' },
            from: { type: 'string', description: 'The address of the client, as far as it may be kept.' },
            key: { type: 'string', description: 'The name of the key, if it has one.' },
            action: { type: 'string', enum: ['ban_added', 'ban_removed', 'ban_expired', 'server_removed'] },
            ban: reference('Ban'),
            server: object({ id: ID, host: TEXT, name: TEXT, port: COUNT, ip: TEXT }, [
              'host',
              'name',
              'port',
              'ip',
            ]),
          },
          ['from', 'key', 'ban', 'server'],
        ),
      ),
      description: 'The latest first.',
    },
  }),
  Entries: object(
    {
      status: SUCCESS,
      servers: arrayOf(
        object(
          {
            ...gameServer,
            registered_at: registeredAt,
            claimed: { ...BOOLEAN, description: 'Whether it answers to its server token only.' },
            reachability: { type: 'string', description: 'What came of the last attempt to reach it.' },
            client: { type: 'string', description: 'The address of the client that broadcast it.' },
            shown: { ...BOOLEAN, description: 'Whether the list shows it.' },
            ban: { ...ID, description: 'The ban because of which the list does not.' },
            not_reached: {
              type: 'string',
              description:
                'Why it does not count as reached: what came of the last attempt, or why there is none.',
            },
            refusals: {
              ...arrayOf(object({ code: TEXT, count: COUNT, at: TIME })),
              description: 'What this replica has refused to its client of late.',
            },
          },
          ['reachability', 'client', 'ban', 'not_reached'],
        ),
      ),
      count: { ...COUNT, description: 'Of all entries.' },
      cursor: { type: 'string', description: 'Leads to the next page; the last one has none.' },
    },
    ['cursor'],
  ),
} satisfies Readonly<Record<string, Schema>>;

/** A body of this schema, with one example. */
export function json(
  schema: keyof typeof ANSWER_SCHEMAS,
  summary: string,
  value: unknown,
): Readonly<Record<string, Content>> {
  return { 'application/json': { schema: reference(schema), examples: oneExample(summary, value) } };
}
