/** The descriptions of answers from the whole list: the list, its history, and the health. */

import { json } from '../docs/openapi/answer-schemas.ts';
import { GAME_SERVER, TIME } from '../docs/openapi/examples.ts';
import { ACCEPT_ENCODING, IF_NONE_MATCH, LIST_HEADERS } from '../docs/openapi/headers.ts';
import type { ApiOptions, Operation } from '../docs/openapi/operation.ts';
import { queryParameters } from '../docs/openapi/request-schemas.ts';
import { sharedBody, success } from '../docs/openapi/success.ts';
import { HISTORY_PARAMETERS } from './history-query.ts';

const HISTORY_EXAMPLE = {
  status: 'success',
  step: 'hour',
  points: [{ time: '2026-11-22T10:00:00.000Z', servers: 812, players: 3960, peak_players: 4101 }],
};

export const list = ({ redirectsBrowsers }: ApiOptions): Operation => ({
  tag: 'Lists',
  id: 'list',
  summary: 'The whole list',
  description: [
    'All listed game servers in order of registration, the same on every replica.',
    ...(redirectsBrowsers
      ? [
          'With an `Accept` that gives `text/html` more weight than `application/json`, as browsers do: the page.',
        ]
      : []),
  ].join(' '),
  parameters: [ACCEPT_ENCODING, IF_NONE_MATCH],
  answers: {
    ...sharedBody(
      'The list.',
      json('List', 'One game server', { servers: [GAME_SERVER], count: 1 }),
      LIST_HEADERS,
    ),
    ...(redirectsBrowsers && {
      303: { description: 'A browser goes on to the page for people.', headers: ['Vary', 'Location'] },
    }),
  },
  errors: ['not_acceptable', 'registry_unavailable'],
});

export const history: Operation = {
  tag: 'Lists',
  id: 'history',
  takesWork: true,
  summary: 'What the list showed, by the minute or by the hour',
  description: 'A point never changes once it is told. A gap stays a gap.',
  parameters: [...queryParameters(HISTORY_PARAMETERS), ACCEPT_ENCODING, IF_NONE_MATCH],
  answers: sharedBody('The points.', json('History', 'One hour', HISTORY_EXAMPLE), ['CDN-Cache-Control']),
  errors: ['invalid_query', 'not_acceptable', 'registry_unavailable'],
};

export const health: Operation = {
  tag: 'Operation',
  id: 'health',
  summary: 'Whether this replica works',
  description:
    'It fails before the first list is loaded and while the replica stops, and not because Redis is away.',
  answers: success(
    'The replica works.',
    json('Health', 'A replica that works', { timestamp: TIME, server_count: 834 }),
  ),
  errors: ['shutting_down', 'registry_unavailable'],
};
