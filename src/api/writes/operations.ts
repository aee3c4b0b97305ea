/** The descriptions of the requests of game servers: broadcast, ping and remove. */

import type { ErrorCode } from '../../model/errors.ts';
import { removeSchema } from '../../model/game-server.ts';
import { broadcastRequest, pingRequest } from './validation.ts';
import { json } from '../docs/openapi/answer-schemas.ts';
import { BROADCAST, DETAILS, ID, META, PING, REMOVE } from '../docs/openapi/examples.ts';
import {
  IDEMPOTENCY_KEY_HEADER,
  SERVER_TOKEN_HEADER,
  SERVER_TOKEN_OF_BROADCAST,
  type ResponseHeader,
} from '../docs/openapi/headers.ts';
import type { ApiOptions, Content, Operation } from '../docs/openapi/operation.ts';
import { bodySchema, queryFields } from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';

/** The headers of each answer to a broadcast or a ping. */
function alwaysTold({ hasBeacons }: ApiOptions): readonly ResponseHeader[] {
  return ['Server-TTL', 'Server-Ping-Interval', ...(hasBeacons ? (['Server-Beacons'] as const) : [])];
}

/** The part that a ping and its form in a query share. */
function pinging(options: ApiOptions): Pick<Operation, 'tag' | 'answers' | 'errors'> {
  const { requireServerToken, verifySource, uniqueAddress } = options;
  return {
    tag: 'Game servers',
    answers: success(
      'The entry is listed for one TTL from now on.',
      json('Success', 'Listed for another TTL', { status: 'success' }),
      { headers: [...alwaysTold(options), ...verification(options)] },
    ),
    errors: [
      'not_owner',
      'banned',
      'ip_mismatch',
      ...only(requireServerToken, 'server_token_required'),
      ...only(verifySource, 'source_mismatch'),
      'unknown_server',
      ...only(uniqueAddress, 'address_taken'),
      'registry_unavailable',
    ],
  };
}

export function broadcast(options: ApiOptions): Operation {
  const { allowUnlisted, verifySource, uniqueAddress, hasQuotas } = options;
  return {
    id: 'broadcast',
    tag: 'Game servers',
    summary: 'List a game server',
    description: described(
      'Returns the id of a new entry. A broadcast with the `Server-Token` of an entry goes on with that entry, also from another address.',
      options,
    ),
    parameters: [SERVER_TOKEN_OF_BROADCAST, IDEMPOTENCY_KEY_HEADER],
    body: {
      schema: allowUnlisted ? bodySchema(broadcastRequest) : withoutUnlisted(bodySchema(broadcastRequest)),
      examples: {
        plain: { summary: 'The fields that every game server sends', value: BROADCAST },
        ...examplesWithDetails('all details', BROADCAST),
        ...(allowUnlisted && {
          unlisted: { summary: 'An unlisted game server', value: { ...BROADCAST, unlisted: true } },
        }),
      },
    },
    answers: success(
      'The game server is listed for one TTL.',
      json('Broadcasted', 'The id', { status: 'success', server_id: ID }),
      {
        headers: [...alwaysTold(options), 'Server-Token', ...verification(options)],
        optionalHeaders: allowUnlisted ? ['Server-Join-Code'] : [],
      },
    ),
    errors: [
      'not_owner',
      'banned',
      ...only(verifySource, 'source_mismatch'),
      'idempotency_key_used',
      ...only(uniqueAddress, 'address_taken'),
      ...only(hasQuotas, 'quota_exceeded'),
      'registry_unavailable',
    ],
  };
}

export function ping(options: ApiOptions): Operation {
  return {
    ...pinging(options),
    id: 'ping',
    summary: 'Stay listed',
    description: described(
      'Renews an entry for one TTL and replaces its fields. A ping that names no details leaves them as they are; one that names any replaces them all.',
      options,
    ),
    parameters: [SERVER_TOKEN_HEADER],
    body: {
      schema: bodySchema(pingRequest),
      examples: {
        plain: { summary: 'The fields that every game server sends', value: PING },
        ...examplesWithDetails('all details', PING),
      },
    },
  };
}

export function pingByQuery(options: ApiOptions): Operation {
  return {
    ...pinging(options),
    id: 'pingByQuery',
    summary: 'Stay listed, with the fields in the query',
    description:
      'The same as a ping by POST, without `addresses` and `meta`. `tags=a,b` and `tags=a&tags=b` are two tags, `%2C` is a comma inside a tag, and `tags=` is none. A body is read instead of the query, if there is one.',
    parameters: [SERVER_TOKEN_HEADER, ...queryFields(pingRequest, PING)],
  };
}

export function remove({ verifySource }: ApiOptions): Operation {
  return {
    id: 'remove',
    tag: 'Game servers',
    summary: 'Leave the list',
    description:
      'Takes an entry off the list at once and for good. Its pings get `unknown_server`. With `keep_id` and the `Server-Token` of the entry it keeps its id for `--keep-id`: a broadcast with that token brings it back.',
    parameters: [SERVER_TOKEN_HEADER],
    body: {
      schema: bodySchema(removeSchema),
      examples: {
        plain: { summary: 'The id and the IP of the entry', value: REMOVE },
        keepingTheId: { summary: 'Before a restart', value: { ...REMOVE, keep_id: true } },
      },
    },
    answers: success('The game server is off the list.', json('Success', 'Removed', { status: 'success' })),
    errors: [
      'not_owner',
      'ip_mismatch',
      'server_token_required',
      ...only(verifySource, 'source_mismatch'),
      'unknown_server',
      'registry_unavailable',
    ],
  };
}

function verification({ verifies }: ApiOptions): readonly ResponseHeader[] {
  return verifies ? ['Server-Verification'] : [];
}

function only(condition: boolean, code: ErrorCode): readonly ErrorCode[] {
  return condition ? [code] : [];
}

function described(text: string, { hasDetailsSchema }: ApiOptions): string {
  return hasDetailsSchema
    ? `${text} This service asks more of the details than is said here, and names what is wrong.`
    : text;
}

function examplesWithDetails(summary: string, fields: object): Content['examples'] {
  return { details: { summary: `With ${summary}`, value: { ...fields, ...DETAILS, meta: META } } };
}

/** The schema for a service that lists every game server: the field is left out, as it may only be `false` there. */
function withoutUnlisted(schema: ReturnType<typeof bodySchema>): ReturnType<typeof bodySchema> {
  const { unlisted: _, ...properties } = schema['properties'] as Readonly<Record<string, unknown>>;
  return { ...schema, properties };
}
