/** The description of queries: pages of the list, single entries, statistics. */

import { oneExample } from '../docs/openapi/examples.ts';
import { json } from '../docs/openapi/answer-schemas.ts';
import {
  GAME_SERVER,
  ID,
  JOIN_CODE,
  LISTED_SERVER,
  META,
  TIME,
  UNLISTED_ID,
} from '../docs/openapi/examples.ts';
import { ACCEPT_ENCODING, IF_NONE_MATCH, LIST_HEADERS } from '../docs/openapi/headers.ts';
import type { Parameter } from '../docs/openapi/parameter.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import { FILTER_PARAMETERS, inPath, queryParameters } from '../docs/openapi/request-schemas.ts';
import { sharedBody, success } from '../docs/openapi/success.ts';
import { PAGE_PARAMETERS } from './page-query.ts';

const PAGE_EXAMPLE = {
  status: 'success',
  servers: [LISTED_SERVER],
  count: 1,
  total: 834,
  next: 'WyIiLDE3OTUzNDIyODM1NzU2NjEsIl9qR0MyIl0',
};

const FACET = { value: 'eu', servers: 512, players: 3400 };
const OTHERS = { servers: 20, players: 11 };
const STATS_EXAMPLE = {
  status: 'success',
  servers: 834,
  players: 5120,
  max_players: 13_344,
  empty: 210,
  full: 31,
  regions: [FACET],
  other_regions: OTHERS,
  countries: [{ ...FACET, value: 'DE' }],
  other_countries: OTHERS,
  modes: [{ ...FACET, value: 'bomb defusal' }],
  other_modes: OTHERS,
  maps: [{ ...FACET, value: 'de_dust2' }],
  other_maps: OTHERS,
  versions: [{ ...FACET, value: '1.4.2' }],
  other_versions: OTHERS,
};

/** Given twice, it says where the reader is, and how near servers have to be. */
const NEAR_PARAMETER: Parameter = {
  name: 'near',
  in: 'query',
  description:
    'What the reader measured to the beacons of `GET /beacons`, in ms, in steps of 5: `fra:10,nyc:80`. Each server then has `near_ms`, `sort=near` puts the nearest first, and a second `near` is a filter: `..80`.',
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
  style: 'form',
  explode: true,
};

export const findServers: Operation = {
  tag: 'Lists',
  id: 'findServers',
  takesWork: true,
  summary: 'A page of the servers that match',
  description:
    'A server matches all filters. A comma widens: `map=a,b` is either of the two. A repetition narrows: `tags=a&tags=b` is both. `%2C` is a comma of the text itself. What a server does not say matches nothing.',
  parameters: [
    ...FILTER_PARAMETERS,
    NEAR_PARAMETER,
    ...queryParameters(PAGE_PARAMETERS),
    ACCEPT_ENCODING,
    IF_NONE_MATCH,
  ],
  answers: sharedBody('The page.', json('Page', 'The first of many', PAGE_EXAMPLE), [
    'Link',
    ...LIST_HEADERS,
  ]),
  errors: ['invalid_query', 'invalid_cursor', 'not_acceptable', 'registry_unavailable'],
};

export const getServer: Operation = {
  tag: 'Lists',
  id: 'getServer',
  summary: 'One server, with its meta',
  parameters: [inPath('id', 'The id of the entry.', ID)],
  answers: success(
    'The server.',
    json('OneServer', 'A server', {
      status: 'success',
      server: { ...LISTED_SERVER, meta: META },
    }),
    { optionalHeaders: LIST_HEADERS },
  ),
  errors: ['invalid_query', 'unknown_server', 'registry_unavailable'],
};

export const badge: Operation = {
  tag: 'Lists',
  id: 'badge',
  summary: 'A small picture that says how full a server is, for other sites',
  parameters: [inPath('id', 'The id of the entry.', ID)],
  answers: success(
    'The picture.',
    {
      'image/svg+xml': {
        schema: { type: 'string' },
        examples: oneExample('A picture', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
      },
    },
    { headers: ['Content-Security-Policy'], optionalHeaders: LIST_HEADERS },
  ),
  errors: ['invalid_query', 'unknown_server', 'registry_unavailable'],
};

export const serverHistory: Operation = {
  tag: 'Lists',
  id: 'serverHistory',
  summary: 'With how many players a server was listed, and how much of the time',
  description:
    'By the hour for 7 days, and by the day before that, up to 30 days; the present hour still grows. Hours in which no replica looked at the list are missing. A server that has left keeps its history for as long.',
  parameters: [inPath('id', 'The id of the entry.', ID), ACCEPT_ENCODING, IF_NONE_MATCH],
  answers: sharedBody(
    'The history.',
    json('ServerHistory', 'One hour', {
      status: 'success',
      id: ID,
      points: [{ time: TIME, step: 'hour', players: 12, peak_players: 31, uptime: 0.9833 }],
      uptime: 0.9983,
    }),
    ['CDN-Cache-Control'],
  ),
  errors: ['invalid_query', 'unknown_server', 'not_acceptable', 'registry_unavailable'],
};

export const stats: Operation = {
  tag: 'Lists',
  id: 'stats',
  takesWork: true,
  summary: 'How many servers match, and what they are',
  description:
    'Takes the filters of `GET /servers`. Of regions, modes, maps and versions the 50 with the most servers are named; `other_…` counts all other servers.',
  parameters: [...FILTER_PARAMETERS, ACCEPT_ENCODING, IF_NONE_MATCH],
  answers: sharedBody('The statistics.', json('Stats', 'Statistics', STATS_EXAMPLE), LIST_HEADERS),
  errors: ['invalid_query', 'not_acceptable', 'registry_unavailable'],
};

export const join: Operation = {
  tag: 'Lists',
  id: 'join',
  summary: 'An unlisted server by its join code',
  description: 'Upper and lower case, spaces and dashes do not count; O is read as 0, I and L as 1.',
  parameters: [inPath('code', 'The join code.', JOIN_CODE)],
  answers: success(
    'The server.',
    json('OneServer', 'An unlisted server', {
      status: 'success',
      server: { ...GAME_SERVER, id: UNLISTED_ID, registered_at: TIME },
    }),
    { optionalHeaders: LIST_HEADERS },
  ),
  errors: ['invalid_query', 'unknown_join_code', 'registry_unavailable'],
};
