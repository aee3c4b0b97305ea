/** The description of reports. */

import { json } from '../docs/openapi/answer-schemas.ts';
import { ID, oneExample } from '../docs/openapi/examples.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import { bodySchema } from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';
import type { ApiOptions } from '../docs/openapi/operation.ts';
import { reportSchemaOf } from './report.ts';

export const sendReport = ({ reportReasons: reasons }: ApiOptions): Operation => ({
  id: 'report',
  tag: 'Lists',
  summary: 'Report a game server to the moderators',
  description:
    'Each network has one voice about each game server, for a week; a later one takes its place. Reports are never public.',
  body: {
    schema: bodySchema(reportSchemaOf({ reasons })),
    examples: oneExample('A report', { id: ID, reason: reasons[0] }),
  },
  answers: success('The report is noted.', json('Success', 'Noted', { status: 'success' })),
  errors: ['unknown_server', 'registry_unavailable'],
});
