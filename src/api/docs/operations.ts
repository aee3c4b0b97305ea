/** The descriptions of the OpenAPI document itself and of the page that shows it. */

import { oneExample } from './openapi/examples.ts';
import { ACCEPT_ENCODING, IF_NONE_MATCH } from './openapi/headers.ts';
import type { Operation } from './openapi/operation.ts';
import { inPath } from './openapi/request-schemas.ts';
import { sharedBody } from './openapi/success.ts';

export const openapi: Operation = {
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
      examples: oneExample('Its beginning', {
        openapi: '3.1.1',
        info: { title: 'GSLS' },
        paths: {},
        components: {},
      }),
    },
  }),
  errors: ['not_acceptable'],
};

export const docs: Operation = {
  tag: 'Operation',
  id: 'docs',
  summary: 'A page that shows this description',
  parameters: [ACCEPT_ENCODING, IF_NONE_MATCH],
  answers: sharedBody(
    'The page.',
    { 'text/html': { schema: { type: 'string' }, examples: oneExample('Its beginning', '<!doctype html>') } },
    ['Content-Security-Policy', 'Referrer-Policy'],
  ),
  errors: ['not_acceptable'],
};

export const docsFile: Operation = {
  tag: 'Operation',
  id: 'docsFile',
  summary: 'A file that the page loads',
  parameters: [
    inPath('file', 'The name of the file, as the page has it.', 'swagger-ui.css'),
    ACCEPT_ENCODING,
    IF_NONE_MATCH,
  ],
  answers: sharedBody('The file.', {
    'text/css': { schema: { type: 'string' }, examples: oneExample('A style', 'body {}') },
    'text/javascript': { schema: { type: 'string' }, examples: oneExample('A script', '{}') },
  }),
  errors: ['not_found', 'not_acceptable'],
};
