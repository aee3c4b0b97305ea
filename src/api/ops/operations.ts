/** The descriptions of the endpoints that watch the service. The operations port itself has no OpenAPI document. */

import { oneExample } from '../docs/openapi/examples.ts';
import type { Content, Operation } from '../docs/openapi/operation.ts';
import { success } from '../docs/openapi/success.ts';

const METRICS_EXAMPLE = `# HELP gsls_game_servers game servers on the list
# TYPE gsls_game_servers gauge
gsls_game_servers 834
`;

export const metrics: Operation = {
  tag: 'Operation',
  id: 'metrics',
  summary: 'Metrics in the format of Prometheus',
  answers: success('The metrics.', {
    'text/plain': { schema: { type: 'string' }, examples: oneExample('One of them', METRICS_EXAMPLE) },
  }),
  errors: [],
};

function json(summary: string, value: object): Readonly<Record<string, Content>> {
  return { 'application/json': { schema: { type: 'object' }, examples: oneExample(summary, value) } };
}

export const livez: Operation = {
  tag: 'Operation',
  id: 'livez',
  summary: 'Whether the process runs',
  answers: success('It runs.', json('A process that runs', { alive: true })),
  errors: [],
};

export const readyz: Operation = {
  tag: 'Operation',
  id: 'readyz',
  summary: 'Whether this replica is to get requests',
  answers: {
    200: {
      description: 'It is, also while Redis takes no writes: the replica still has the list.',
      content: json('A replica whose Redis is full', {
        ready: true,
        writes: 'refused',
        reason: 'out_of_memory',
        message: 'Redis refuses writes: its memory is full',
      }),
    },
    503: {
      description: 'It is not: no list is loaded yet, or it is about to stop.',
      content: json('A replica that stops', {
        ready: false,
        reason: 'stopping',
        message: 'this replica is about to stop',
      }),
    },
  },
  errors: [],
};

export const configuration: Operation = {
  tag: 'Operation',
  id: 'configuration',
  summary: 'The configuration in force, without secrets',
  answers: success(
    'The version, the time of the start, and all options.',
    json('Its beginning', { version: '1.0.0', options: {} }),
  ),
  errors: [],
};
