/** The descriptions of the endpoints for moderators. */

import { LABELS, PATTERNS } from '../../registry/decisions/rule-fields.ts';
import { json } from '../docs/openapi/answer-schemas.ts';
import { BAN, BAN_ID, ID, LABEL, LISTED_SERVER, NEW_BAN, TIME } from '../docs/openapi/examples.ts';
import { STALE_HEADERS } from '../docs/openapi/headers.ts';
import { oneExample } from '../docs/openapi/examples.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import type { Parameter } from '../docs/openapi/parameter.ts';
import {
  bodySchema,
  FILTER_PARAMETERS,
  inPath,
  queryFields,
  queryParameters,
} from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';
import { PAGE_PARAMETERS } from '../find/page-query.ts';
import { HIDDEN_BY } from './entry-facts.ts';
import { authorSchema, banSchema, labelSchemaOf, previewSchema } from './validation.ts';

const AUTHOR = queryFields(authorSchema);

const DONE = { status: 'success' };
const SUCCESS = json('Success', 'Done', DONE);
const MODERATION = { tag: 'Moderation' } as const;
const LISTING = { ...MODERATION, takesWork: true, errors: ['registry_unavailable'] } as const;

const labelSchema = labelSchemaOf(LABELS);

const ENTRY = {
  ...LISTED_SERVER,
  claimed: false,
  client: '198.51.100.9',
  network: '198.51.100.0/24',
  shown: false,
  hidden_by: 'ban',
  ban: BAN_ID,
  refusals: [{ code: 'banned', count: 12, at: TIME }],
};
const VOICES = {
  count: 3,
  reasons: { spam: 2, cheating: 1 },
  latest_at: TIME,
  notes: [{ note: 'a bot', at: TIME }],
};

const ownFilter = ([name, description]: readonly [string, string]): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});

/** The filters that only moderators have. */
const OWN_FILTERS = Object.entries({
  client: 'The address of the client, as a filter by `ip`.',
  network: 'Its network, as in `203.0.113.0/24`.',
  reachability: 'What came of the last attempt to reach it, such as `answered`.',
  hidden_by: `Why the list does not show it: ${HIDDEN_BY.join(', ')}.`,
  ban: 'The ban that hides it.',
  reasons: 'A reason for which it was reported.',
  reports: 'How many networks reported it, as in `1..`.',
  shown: '`true` or `false`: whether the list shows it.',
  claimed: '`true` or `false`: whether its token was used.',
}).map(ownFilter);

export const me: Operation = {
  ...MODERATION,
  id: 'me',
  summary: 'What a moderator may do here',
  answers: success(
    'The labels and reasons.',
    json('Me', 'With reports', { ...DONE, labels: LABELS, reasons: ['spam'] }),
  ),
  errors: [],
};

export const listBans: Operation = {
  ...LISTING,
  id: 'listBans',
  summary: 'The bans in force',
  answers: success('The bans.', json('Bans', 'One ban', { ...DONE, bans: [BAN], count: 1 }), {
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
      content: json('NewBan', 'A ban that three entries match', { ...DONE, ...BAN, matches: 3 }),
    },
  },
  errors: ['too_many_bans', 'registry_unavailable'],
};

export const removeBan: Operation = {
  ...MODERATION,
  id: 'removeBan',
  summary: 'Take back a ban',
  parameters: [inPath('ban', 'The id of the ban.', BAN_ID), ...AUTHOR],
  answers: success('The ban is gone.', SUCCESS),
  errors: ['unknown_ban', 'registry_unavailable'],
};

export const listLabels: Operation = {
  ...LISTING,
  id: 'listLabels',
  summary: 'The labels that are given, and to whom',
  answers: success('The labels.', json('Labels', 'One label', { ...DONE, labels: [LABEL], count: 1 }), {
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
      content: json('NewLabel', 'A label of one entry', { ...DONE, ...LABEL, matches: 1 }),
    },
  },
  errors: ['unknown_server', 'too_many_labels', 'registry_unavailable'],
};

export const removeLabel: Operation = {
  ...MODERATION,
  id: 'removeLabel',
  summary: 'Take back a label',
  parameters: [inPath('rule', 'The id of the rule.', BAN_ID), ...AUTHOR],
  answers: success('The label is gone.', SUCCESS),
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
      ...DONE,
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
      ...DONE,
      audit: [
        { at: TIME, author: 'Ann', from: '198.51.100.9', action: 'ban_added', ban: BAN },
        { at: TIME, author: '', action: 'server_removed', server: { id: ID } },
      ],
    }),
    { optionalHeaders: STALE_HEADERS },
  ),
};

export const listEntries: Operation = {
  ...LISTING,
  id: 'listEntries',
  summary: 'All entries, also those that the list does not show',
  description:
    'Takes the filters and orders of `GET /servers`, and some more. Entries that come and go between two pages move no others. `refusals` are those of this replica since its start, by client (IPv6: by /64), for the latest 10,000 clients.',
  parameters: [...FILTER_PARAMETERS, ...OWN_FILTERS, ...queryParameters(PAGE_PARAMETERS)],
  answers: success(
    'A page, in order of registration if no other is asked for.',
    json('Entries', 'An entry that is banned', {
      ...DONE,
      servers: [ENTRY],
      count: 834,
      total: 834,
      cursor: 'WyIiLDE3OTUzNDIyODM1NzU2NjEsIl9qR0MyIl0',
    }),
  ),
  errors: ['invalid_query', 'invalid_cursor', 'registry_unavailable'],
};

export const getEntry: Operation = {
  ...MODERATION,
  id: 'getEntry',
  takesWork: true,
  summary: 'One entry, its neighbours, and what moderators did about it',
  parameters: [inPath('id', 'The id of the entry.', ID)],
  answers: success(
    'The entry.',
    json('OneEntry', 'An entry without neighbours', {
      ...DONE,
      server: ENTRY,
      said: [
        { at: TIME, name: 'CASINO', host: 'eu1.example.com', ip: '203.0.113.7', port: 7777, max_players: 16 },
      ],
      neighbours: Object.fromEntries(
        ['network', 'host', 'name'].map((kind) => [kind, { count: 0, servers: [] }]),
      ),
      audit: [],
    }),
  ),
  errors: ['unknown_server', 'registry_unavailable'],
};

export const removeEntry: Operation = {
  ...MODERATION,
  id: 'removeEntry',
  takesWork: true,
  summary: 'Remove an entry for good',
  description: 'Its pings get `unknown_server`. The game server may broadcast anew: a ban keeps it away.',
  parameters: [inPath('id', 'The id of the entry.', ID), ...AUTHOR],
  answers: success('The entry is off the list.', SUCCESS),
  errors: ['unknown_server', 'registry_unavailable'],
};

export const listReports: Operation = {
  ...LISTING,
  id: 'listReports',
  summary: 'What readers reported, the most reported first',
  answers: success(
    'The reports.',
    json('Reports', 'An entry that three networks reported', {
      ...DONE,
      reports: [{ server: { id: ID }, ...VOICES }],
      count: 1,
    }),
  ),
};

export const dismissReports: Operation = {
  ...MODERATION,
  id: 'dismissReports',
  summary: 'Forget what was reported of an entry',
  description: 'If reports hid it, the list shows it again.',
  parameters: [inPath('id', 'The id of the entry.', ID), ...AUTHOR],
  answers: success('The reports are gone.', SUCCESS),
  errors: ['unknown_server', 'registry_unavailable'],
};
