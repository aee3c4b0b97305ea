/** The description of the live feed. */

import { json } from '../docs/openapi/answer-schemas.ts';
import { LISTED_SERVER, oneExample } from '../docs/openapi/examples.ts';
import { ACCEPT_ENCODING, LAST_EVENT_ID, STALE_HEADERS } from '../docs/openapi/headers.ts';
import type { ApiOptions, Content, Operation } from '../docs/openapi/operation.ts';
import { FILTER_PARAMETERS, queryParameters } from '../docs/openapi/request-schemas.ts';
import { CHANGES_PARAMETERS } from './wanted-list.ts';

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
    examples: oneExample('The beginning of a stream', STREAM_EXAMPLE),
  },
};

export function changes({ hasStreams }: ApiOptions): Operation {
  return {
    tag: 'Lists',
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
        headers: ['Vary', 'Server-Registry'],
        optionalHeaders: [
          'Content-Encoding',
          ...STALE_HEADERS,
          ...(hasStreams ? (['X-Accel-Buffering'] as const) : []),
        ],
      },
    },
    errors: ['invalid_query', 'too_many_streams', 'shutting_down', 'registry_unavailable'],
  };
}
