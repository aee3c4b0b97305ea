/** The description of the doctor. */

import { json } from '../docs/openapi/answer-schemas.ts';
import { ID, oneExample, TIME } from '../docs/openapi/examples.ts';
import { SERVER_TOKEN_HEADER } from '../docs/openapi/headers.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import { bodySchema } from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';
import { FINDINGS } from '../../model/findings.ts';
import { questionSchema } from './question.ts';

const EXAMPLE = {
  status: 'success',
  client_address: '203.0.113.7',
  listed: false,
  cause: 'expired',
  says: `${FINDINGS.expired.says}: 4 s ago`,
  next_step: FINDINGS.expired.nextStep,
  entry: {
    id: ID,
    name: 'Frankfurt 1',
    host: 'eu1.example.com',
    ip: '203.0.113.7',
    port: 7777,
    registered_at: '2026-11-22T09:00:00.000Z',
    expires_at: TIME,
  },
  checks: [
    { code: 'your_address', result: 'fine', says: 'the service sees you at 203.0.113.7' },
    { code: 'entry', result: 'wrong', says: 'the entry has expired' },
  ],
};

export const doctor: Operation = {
  id: 'doctor',
  tag: 'Game servers',
  summary: 'Why a game server is not listed',
  description:
    'Says the cause and the one next step. With the `Server-Token` of the entry it tells all of it; without, only what concerns the address that the request comes from. An unlisted entry is then answered as an unknown one. With `--verify` the port of that address is tried, once in 30 s.',
  takesWork: true,
  parameters: [SERVER_TOKEN_HEADER],
  body: {
    schema: bodySchema(questionSchema),
    examples: oneExample('The address that players use', {
      server_host: '203.0.113.7',
      server_port: 7777,
    }),
  },
  answers: success('What was found.', json('Diagnosis', 'An entry that has expired', EXAMPLE)),
  errors: [],
};
