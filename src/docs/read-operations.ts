/** What is listed: the list, pages of it, single entries, statistics, changes and history. */

import { HISTORY_PARAMETERS } from '../lists/history-query.ts';
import { PAGE_PARAMETERS } from '../find/page-query.ts';
import { CHANGES_PARAMETERS } from '../feed/changes.ts';
import { json } from './answer-schemas.ts';
import { GAME_SERVER, ID, JOIN_CODE, LISTED_SERVER, META, one, TIME, UNLISTED_ID } from './examples.ts';
import {
  ACCEPT_ENCODING,
  IF_NONE_MATCH,
  LAST_EVENT_ID,
  STALE_HEADERS,
  type ResponseHeader,
} from './headers.ts';
import type { ApiOptions, Content, DescribedAnswer, Operations } from './operation.ts';
import { FILTER_PARAMETERS, inPath, queryParameters } from './request-schemas.ts';

/** Of bodies that many clients get. */
const SHARED: readonly ResponseHeader[] = ['ETag', 'Vary'];

/** `more`: headers that the answer may have. */
export function sharedBody(
  description: string,
  content: Readonly<Record<string, Content>>,
  more: readonly ResponseHeader[] = [],
): Readonly<Record<number, DescribedAnswer>> {
  return {
    200: { description, content, headers: SHARED, optionalHeaders: ['Content-Encoding', ...more] },
    304: {
      description: 'The client has this answer already.',
      headers: SHARED,
      optionalHeaders: more,
    },
  };
}

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
  modes: [{ ...FACET, value: 'bomb defusal' }],
  other_modes: OTHERS,
  maps: [{ ...FACET, value: 'de_dust2' }],
  other_maps: OTHERS,
  versions: [{ ...FACET, value: '1.4.2' }],
  other_versions: OTHERS,
};

const CHANGES = {
  servers: [LISTED_SERVER],
  removed: ['Qm9X1v7dT0yqfJ2uLr5ZsA'],
  full: false,
  tag: 'qqqcxESI548.hoeaqhblky',
};

const STREAM_EXAMPLE = `retry: 2183

id: ${CHANGES.tag}
event: changes
data: ${JSON.stringify(CHANGES)}

id: qqqcxESI548.hoeaqxk2f0

`;

const STREAM: Readonly<Record<string, Content>> = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description:
        'Server-Sent Events without an end. The `data` of each event `changes` is a ChangesEvent as JSON; its `id` is the tag. The `data` of an event `state` is a StateEvent: it comes when the list ceases to be current and when it is so again, and at the beginning of a stream if it is not. An `id` alone says that the stream is alive.',
    },
    examples: one('The beginning of a stream', STREAM_EXAMPLE),
  },
};

const HISTORY_EXAMPLE = {
  status: 'success',
  step: 'hour',
  points: [{ time: '2026-11-22T10:00:00.000Z', servers: 812, players: 3960, peak_players: 4101 }],
};

export function readOperations({ hasStreams }: ApiOptions): Operations {
  const list = { tag: 'Lists', kind: 'list' } as const;
  return {
    'GET /': {
      ...list,
      id: 'list',
      summary: 'The whole list',
      description: 'All listed game servers in order of registration, the same on every replica.',
      parameters: [ACCEPT_ENCODING, IF_NONE_MATCH],
      answers: sharedBody(
        'The list.',
        json('List', 'One game server', { servers: [GAME_SERVER], count: 1 }),
        STALE_HEADERS,
      ),
      errors: ['not_acceptable', 'registry_unavailable'],
    },
    'GET /servers': {
      ...list,
      id: 'findServers',
      takesWork: true,
      summary: 'A page of the servers that match',
      description:
        'A server matches all filters. A comma widens: `map=a,b` is either of the two. A repetition narrows: `tags=a&tags=b` is both. `%2C` is a comma of the text itself. What a server does not say matches nothing.',
      parameters: [...FILTER_PARAMETERS, ...queryParameters(PAGE_PARAMETERS), ACCEPT_ENCODING, IF_NONE_MATCH],
      answers: sharedBody('The page.', json('Page', 'The first of many', PAGE_EXAMPLE), [
        'Link',
        ...STALE_HEADERS,
      ]),
      errors: ['invalid_query', 'invalid_cursor', 'not_acceptable', 'registry_unavailable'],
    },
    'GET /servers/{id}': {
      ...list,
      id: 'getServer',
      summary: 'One server, with its meta',
      parameters: [inPath('id', 'The id of the entry.', ID)],
      answers: {
        200: {
          description: 'The server.',
          content: json('OneServer', 'A server', {
            status: 'success',
            server: { ...LISTED_SERVER, meta: META },
          }),
          optionalHeaders: STALE_HEADERS,
        },
      },
      errors: ['invalid_query', 'unknown_server', 'registry_unavailable'],
    },
    'GET /join/{code}': {
      tag: 'Lists',
      kind: 'join',
      id: 'join',
      summary: 'An unlisted server by its join code',
      description: 'Upper and lower case, spaces and dashes do not count; O is read as 0, I and L as 1.',
      parameters: [inPath('code', 'The join code.', JOIN_CODE)],
      answers: {
        200: {
          description: 'The server.',
          content: json('OneServer', 'An unlisted server', {
            status: 'success',
            server: { ...GAME_SERVER, id: UNLISTED_ID, registered_at: TIME },
          }),
          optionalHeaders: STALE_HEADERS,
        },
      },
      errors: ['invalid_query', 'unknown_join_code', 'registry_unavailable'],
    },
    'GET /stats': {
      ...list,
      id: 'stats',
      takesWork: true,
      summary: 'How many servers match, and what they are',
      description:
        'Takes the filters of `GET /servers`. Of regions, modes, maps and versions the 50 with the most servers are named; `other_…` counts all other servers.',
      parameters: [...FILTER_PARAMETERS, ACCEPT_ENCODING, IF_NONE_MATCH],
      answers: sharedBody('The statistics.', json('Stats', 'Statistics', STATS_EXAMPLE), STALE_HEADERS),
      errors: ['invalid_query', 'not_acceptable', 'registry_unavailable'],
    },
    'GET /changes': {
      ...list,
      id: 'changes',
      takesWork: true,
      summary: hasStreams
        ? 'What has changed since a tag, as one answer or as a stream'
        : 'What has changed since a tag',
      description:
        'After each answer a client has exactly the list of its `tag`: where `full` is true it forgets all servers, it forgets those in `removed`, takes over those in `servers`, and sends the tag as `since` next time, to any replica. Takes the filters of `GET /servers`.' +
        (hasStreams ? ' With `Accept: text/event-stream` the answer is a stream.' : ''),
      parameters: [
        ...FILTER_PARAMETERS,
        ...queryParameters(CHANGES_PARAMETERS),
        ACCEPT_ENCODING,
        LAST_EVENT_ID,
      ],
      answers: {
        200: {
          description: 'The changes.',
          content: {
            ...json('Changes', 'A changed and a removed server', { status: 'success', ...CHANGES }),
            ...(hasStreams && STREAM),
          },
          headers: ['Vary'],
          optionalHeaders: [
            'Content-Encoding',
            ...STALE_HEADERS,
            ...(hasStreams ? (['X-Accel-Buffering'] as const) : []),
          ],
        },
      },
      errors: ['invalid_query', 'too_many_streams', 'shutting_down', 'registry_unavailable'],
    },
    'GET /history': {
      ...list,
      id: 'history',
      takesWork: true,
      summary: 'What the list showed, by the minute or by the hour',
      description: 'A point never changes once it is told. A gap stays a gap.',
      parameters: [...queryParameters(HISTORY_PARAMETERS), ACCEPT_ENCODING, IF_NONE_MATCH],
      answers: sharedBody('The points.', json('History', 'One hour', HISTORY_EXAMPLE)),
      errors: ['invalid_query', 'not_acceptable', 'registry_unavailable'],
    },
  };
}
