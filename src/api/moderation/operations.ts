/** The descriptions of the endpoints for moderators: bans, the audit, all entries. */

import { PATTERNS } from '../../registry/bans/ban-fields.ts';
import { authorSchema, banSchema, pageSchema } from './validation.ts';
import { json } from '../docs/openapi/answer-schemas.ts';
import { STALE_HEADERS } from '../docs/openapi/headers.ts';
import { BAN, BAN_ID, GAME_SERVER, ID, NEW_BAN, TIME } from '../docs/openapi/examples.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import { bodySchema, inPath, queryFields } from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';

const AUTHOR = queryFields(authorSchema);

const DONE = { status: 'success' };

export const listBans: Operation = {
  tag: 'Moderation',
  id: 'listBans',
  takesWork: true,
  summary: 'The bans in force',
  answers: success('The bans.', json('Bans', 'One ban', { ...DONE, bans: [BAN], count: 1 }), {
    optionalHeaders: STALE_HEADERS,
  }),
  errors: ['registry_unavailable'],
};

export const addBan: Operation = {
  tag: 'Moderation',
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
  tag: 'Moderation',
  id: 'removeBan',
  summary: 'Take back a ban',
  parameters: [inPath('ban', 'The id of the ban.', BAN_ID), ...AUTHOR],
  answers: success('The ban is gone.', json('Success', 'Taken back', DONE)),
  errors: ['unknown_ban', 'registry_unavailable'],
};

export const audit: Operation = {
  tag: 'Moderation',
  id: 'audit',
  takesWork: true,
  summary: 'What moderators did, the latest first',
  description: 'The latest 500 lines. Bans that have expired are among them.',
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
  errors: ['registry_unavailable'],
};

export const listEntries: Operation = {
  tag: 'Moderation',
  id: 'listEntries',
  takesWork: true,
  summary: 'All entries, also those that the list does not show',
  description:
    'In order of registration: entries that come and go between two pages move no others. `refusals` are those of this replica since its start, by client (IPv6: by /64), for the latest 10,000 clients.',
  parameters: queryFields(pageSchema),
  answers: success(
    'A page, in order of registration.',
    json('Entries', 'An entry that is banned', {
      ...DONE,
      servers: [
        {
          ...GAME_SERVER,
          registered_at: TIME,
          claimed: false,
          client: '198.51.100.9',
          shown: false,
          ban: BAN_ID,
          refusals: [{ code: 'banned', count: 12, at: TIME }],
        },
      ],
      count: 834,
      cursor: `1795342283575661.${ID}`,
    }),
  ),
  errors: ['registry_unavailable'],
};

export const removeEntry: Operation = {
  tag: 'Moderation',
  id: 'removeEntry',
  takesWork: true,
  summary: 'Remove an entry for good',
  description: 'Its pings get `unknown_server`. The game server may broadcast anew: a ban keeps it away.',
  parameters: [inPath('id', 'The id of the entry.', ID), ...AUTHOR],
  answers: success('The entry is off the list.', json('Success', 'Removed', DONE)),
  errors: ['unknown_server', 'registry_unavailable'],
};
