/** The descriptions of the endpoints for bans and labels, and of the audit. */

import { LABELS, PATTERNS } from '../../registry/decisions/rule-fields.ts';
import { json } from '../docs/openapi/answer-schemas.ts';
import { BAN, BAN_ID, ID, LABEL, NEW_BAN, oneExample, TIME } from '../docs/openapi/examples.ts';
import { STALE_HEADERS } from '../docs/openapi/headers.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import { bodySchema, inPath } from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';
import { AUTHOR, BODY, LISTING, MODERATION, SUCCESS_ANSWER } from './operation-parts.ts';
import { banSchema, labelSchemaOf, previewSchema } from './validation.ts';

const labelSchema = labelSchemaOf(LABELS);

export const listBans: Operation = {
  ...LISTING,
  id: 'listBans',
  summary: 'The bans in force',
  answers: success('The bans.', json('Bans', 'One ban', { ...BODY, bans: [BAN], count: 1 }), {
    optionalHeaders: STALE_HEADERS,
  }),
};

export const addBan: Operation = {
  ...MODERATION,
  id: 'addBan',
  takesWork: true,
  summary: 'Ban game servers',
  description:
    'A ban matches what all of its patterns match. In a glob `*` stands for any characters and `?` for one; upper and lower case are the same. A field that a ban does not have is refused.',
  body: {
    schema: {
      ...bodySchema(banSchema),
      anyOf: PATTERNS.map((name) => ({ required: [name] })),
      additionalProperties: false,
    },
    examples: {
      name: { summary: 'By a glob for names', value: NEW_BAN },
      network: {
        summary: 'By a network, without telling',
        value: { address: '198.51.100.0/24', reason: 'a botnet', mode: 'silent' },
      },
    },
  },
  answers: {
    201: {
      description: 'The ban is in force on every replica.',
      content: json('NewBan', 'A ban that three entries match', { ...BODY, ...BAN, matches: 3 }),
    },
  },
  errors: ['too_many_bans', 'registry_unavailable'],
};

export const removeBan: Operation = {
  ...MODERATION,
  id: 'removeBan',
  summary: 'Take back a ban',
  parameters: [inPath('ban', 'The id of the ban.', BAN_ID), ...AUTHOR],
  answers: success('The ban is gone.', SUCCESS_ANSWER),
  errors: ['unknown_ban', 'registry_unavailable'],
};

export const listLabels: Operation = {
  ...LISTING,
  id: 'listLabels',
  summary: 'The labels that are given, and to whom',
  answers: success('The labels.', json('Labels', 'One label', { ...BODY, labels: [LABEL], count: 1 }), {
    optionalHeaders: STALE_HEADERS,
  }),
};

export const addLabel: Operation = {
  ...MODERATION,
  id: 'addLabel',
  takesWork: true,
  summary: 'Give game servers a label',
  description:
    'It is given as a ban is, to what all patterns match; or by the hash of a server token to the entry that is listed with it, which keeps the label as long as its id.',
  body: {
    schema: {
      ...bodySchema(labelSchema),
      anyOf: [...PATTERNS, 'token_sha256'].map((name) => ({ required: [name] })),
      additionalProperties: false,
    },
    examples: oneExample('By an id', { label: 'official', id: ID, author: 'Ann' }),
  },
  answers: {
    201: {
      description: 'Every replica shows the label.',
      content: json('NewLabel', 'A label of one entry', { ...BODY, ...LABEL, matches: 1 }),
    },
  },
  errors: ['unknown_server', 'too_many_labels', 'registry_unavailable'],
};

export const removeLabel: Operation = {
  ...MODERATION,
  id: 'removeLabel',
  summary: 'Take back a label',
  parameters: [inPath('rule', 'The id of the rule.', BAN_ID), ...AUTHOR],
  answers: success('The label is gone.', SUCCESS_ANSWER),
  errors: ['unknown_label', 'registry_unavailable'],
};

export const preview: Operation = {
  ...MODERATION,
  id: 'preview',
  takesWork: true,
  summary: 'What a ban or a label would match now',
  body: {
    schema: { ...bodySchema(previewSchema), additionalProperties: false },
    examples: oneExample('By a network', { address: '198.51.100.0/24', of: ID }),
  },
  answers: success(
    'The entries that match.',
    json('Preview', 'One entry', {
      ...BODY,
      matches: 1,
      shown: 1,
      networks: 1,
      other_networks: 0,
      servers: [{ id: ID, name: 'Frankfurt 1', host: 'eu1.example.com' }],
    }),
  ),
  errors: ['registry_unavailable'],
};

export const audit: Operation = {
  ...LISTING,
  id: 'audit',
  summary: 'What moderators did, the latest first',
  description: 'The latest 500 lines. Bans and labels that have expired are among them.',
  answers: success(
    'The latest 500 lines.',
    json('Audit', 'A ban and a removal', {
      ...BODY,
      audit: [
        { at: TIME, author: 'Ann', from: '198.51.100.9', action: 'ban_added', ban: BAN },
        { at: TIME, author: '', action: 'server_removed', server: { id: ID } },
      ],
    }),
    { optionalHeaders: STALE_HEADERS },
  ),
};
