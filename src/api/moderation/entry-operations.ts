/** The descriptions of the endpoints for entries, and for what readers reported of them. */

import { LABELS } from '../../registry/decisions/rule-fields.ts';
import { json } from '../docs/openapi/answer-schemas.ts';
import { BAN_ID, ID, LISTED_SERVER, TIME } from '../docs/openapi/examples.ts';
import type { Operation } from '../docs/openapi/operation.ts';
import {
  FILTER_PARAMETERS,
  inPath,
  queryParameters,
  textParameters,
} from '../docs/openapi/request-schemas.ts';
import { success } from '../docs/openapi/success.ts';
import { PAGE_PARAMETERS } from '../find/page-query.ts';
import { HIDDEN_BY } from './entry-facts.ts';
import { AUTHOR, BODY, LISTING, MODERATION, SUCCESS_ANSWER } from './operation-parts.ts';

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

/** The filters that only moderators have. */
const OWN_FILTERS = textParameters({
  client: 'The address of the client, as a filter by `ip`.',
  network: 'Its network, as in `203.0.113.0/24`.',
  reachability: 'What came of the last attempt to reach it, such as `answered`.',
  hidden_by: `Why the list does not show it: ${HIDDEN_BY.join(', ')}.`,
  ban: 'The ban that hides it.',
  reasons: 'A reason for which it was reported.',
  players_gap:
    'How many more players it says than --verify saw, as in `1..`. Sort by `-players_gap` for the largest.',
  reports: 'How many networks reported it, as in `1..`.',
  shown: '`true` or `false`: whether the list shows it.',
  claimed: '`true` or `false`: whether its token was used.',
});

export const me: Operation = {
  ...MODERATION,
  id: 'me',
  summary: 'What a moderator may do here',
  answers: success(
    'The labels and reasons.',
    json('Me', 'With reports', { ...BODY, labels: LABELS, reasons: ['spam'] }),
  ),
  errors: [],
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
      ...BODY,
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
      ...BODY,
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
  summary: 'Remove an entry for good',
  description: 'Its pings get `unknown_server`. The game server may broadcast anew: a ban keeps it away.',
  parameters: [inPath('id', 'The id of the entry.', ID), ...AUTHOR],
  answers: success('The entry is off the list.', SUCCESS_ANSWER),
  errors: ['unknown_server', 'registry_unavailable'],
};

export const listReports: Operation = {
  ...LISTING,
  id: 'listReports',
  summary: 'What readers reported, the most reported first',
  answers: success(
    'The reports.',
    json('Reports', 'An entry that three networks reported', {
      ...BODY,
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
  answers: success('The reports are gone.', SUCCESS_ANSWER),
  errors: ['unknown_server', 'registry_unavailable'],
};
