/** The values that the examples of the description share: one game server, as it is sent and as it is listed. */

import { ERRORS, type ErrorCode } from '../../../model/errors.ts';
import { detailMembers } from '../../../model/fields/detail-fields.ts';
import type { Example, Examples } from './operation.ts';

export const ID = '_jGC2t-VM0QnfsWfkkPY3w';
export const UNLISTED_ID = '~7KQ01MZX4R9E2WJ5TCH8VQ3NBA';
export const BAN_ID = '9f3c1e0b7a52d846';
export const JOIN_CODE = '7KQ01MZX4R';
export const TIME = '2026-11-22T10:20:30.123Z';

const ADDRESS = { server_host: 'eu1.example.com', server_name: 'Frankfurt 1', server_port: 7777 };

export const BROADCAST = { ...ADDRESS, server_ip: '203.0.113.7', players: 3, max_players: 16 };
export const PING = { server_id: ID, ...BROADCAST, players: 5 };
export const REMOVE = { server_id: ID, server_ip: '203.0.113.7' };
export const { meta: META, ...DETAILS } = detailMembers('example');

export const GAME_SERVER = {
  id: ID,
  host: 'eu1.example.com',
  name: 'Frankfurt 1',
  port: 7777,
  ip: '203.0.113.7',
  players: 5,
  max_players: 16,
};
export const LISTED_SERVER = { ...GAME_SERVER, ...DETAILS, registered_at: TIME };

export const NEW_BAN = {
  name: '*casino*',
  reason: 'spam',
  mode: 'refuse',
  author: 'Ann',
  expires_at: '2099-01-31T12:00:00Z',
};
export const BAN = {
  ban: BAN_ID,
  ...NEW_BAN,
  created_at: TIME,
  expires_at: '2099-01-31T12:00:00.000Z',
};

export const LABEL = { rule: BAN_ID, label: 'official', author: 'Ann', id: ID, created_at: TIME };

/** The list of examples for a thing that has only one. */
export function oneExample(summary: string, value: unknown): Examples {
  return { example: { summary, value } };
}

const WRONG_FIELDS: Readonly<
  Partial<Record<ErrorCode, { readonly field: string; readonly message: string }>>
> = {
  invalid_request: { field: 'server_port', message: 'must be an integer from 1 to 65535' },
  invalid_query: { field: 'limit', message: 'must be an integer from 1 to 1000' },
};

/** An example body for each error. */
export const ERROR_EXAMPLES: Readonly<Record<ErrorCode, Example>> = Object.fromEntries(
  (Object.keys(ERRORS) as ErrorCode[]).map((code) => [
    code,
    { summary: ERRORS[code].message, value: errorBody(code) },
  ]),
) as Record<ErrorCode, Example>;

function errorBody(code: ErrorCode): object {
  const { message } = ERRORS[code];
  const wrong = WRONG_FIELDS[code];
  return {
    status: 'error',
    error: wrong === undefined ? message : `${wrong.field} ${wrong.message}`,
    code,
    ...(wrong && { details: [wrong] }),
  };
}
