/** What says how the service is, and what it can do: health, metrics, this description and the page that shows it. */

import { json } from './answer-schemas.ts';
import { one, TIME } from './examples.ts';
import { ACCEPT_ENCODING, IF_NONE_MATCH } from './headers.ts';
import type { Operations } from './operation.ts';
import { sharedBody } from './read-operations.ts';
import { inPath } from './request-schemas.ts';

const METRICS_EXAMPLE = `# HELP gsls_game_servers game servers on the list
# TYPE gsls_game_servers gauge
gsls_game_servers 834
`;

export const SERVICE_OPERATIONS: Operations = {
  'GET /health': {
    tag: 'Operation',
    id: 'health',
    summary: 'Whether this replica works',
    description:
      'It fails before the first list is loaded and while the replica stops, and not because Redis is away.',
    answers: {
      200: {
        description: 'The replica works.',
        content: json('Health', 'A replica that works', { timestamp: TIME, server_count: 834 }),
      },
    },
    errors: ['shutting_down', 'registry_unavailable'],
  },
  'GET /metrics': {
    tag: 'Operation',
    id: 'metrics',
    summary: 'Metrics in the format of Prometheus',
    answers: {
      200: {
        description: 'The metrics.',
        content: {
          'text/plain': { schema: { type: 'string' }, examples: one('One of them', METRICS_EXAMPLE) },
        },
      },
    },
    errors: [],
  },
  'GET /openapi.json': {
    tag: 'Operation',
    id: 'openapi',
    summary: 'This description',
    parameters: [ACCEPT_ENCODING, IF_NONE_MATCH],
    answers: sharedBody('A document of OpenAPI 3.1.', {
      'application/json': {
        schema: {
          type: 'object',
          required: ['openapi', 'info', 'paths', 'components'],
        },
        examples: one('Its beginning', {
          openapi: '3.1.1',
          info: { title: 'GSLS' },
          paths: {},
          components: {},
        }),
      },
    }),
    errors: ['not_acceptable'],
  },
  'GET /docs': {
    tag: 'Operation',
    id: 'docs',
    summary: 'A page that shows this description',
    parameters: [ACCEPT_ENCODING, IF_NONE_MATCH],
    answers: sharedBody(
      'The page.',
      { 'text/html': { schema: { type: 'string' }, examples: one('Its beginning', '<!doctype html>') } },
      ['Content-Security-Policy', 'Referrer-Policy'],
    ),
    errors: ['not_acceptable'],
  },
  'GET /docs/{file}': {
    tag: 'Operation',
    id: 'docsFile',
    summary: 'A file that the page loads',
    parameters: [
      inPath('file', 'The name of the file, as the page has it.', 'swagger-ui.css'),
      ACCEPT_ENCODING,
      IF_NONE_MATCH,
    ],
    answers: sharedBody('The file.', {
      'text/css': { schema: { type: 'string' }, examples: one('A style', 'body {}') },
      'text/javascript': { schema: { type: 'string' }, examples: one('A script', '{}') },
    }),
    errors: ['not_found', 'not_acceptable'],
  },
};
