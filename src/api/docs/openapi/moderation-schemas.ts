/** The schemas of what moderators get. */

import { LABELS, ruleFields } from '../../../registry/decisions/rule-fields.ts';
import { propertySchemas } from './request-schemas.ts';
import { arrayOf, BOOLEAN, COUNT, ID, object, reference, SUCCESS, TEXT, TIME } from './schemas.ts';
import type { Schema } from './parameter.ts';

const { mode, ...ofRules } = propertySchemas(ruleFields);
const PATTERNS_AND_END = ['id', 'address', 'host', 'name', 'expires_at'];
const rule = {
  ...ofRules,
  author: { ...TEXT, description: 'Who says so; empty for GSLS itself.' },
  created_at: TIME,
  expires_at: { ...TIME, description: 'Its end; one without it has none.' },
};
const ban = { ban: { ...ID, description: 'The id of the ban itself.' }, mode: mode!, ...rule };
const label = {
  rule: { ...ID, description: 'The id of the rule itself.' },
  label: { ...TEXT, examples: [...LABELS] },
  ...rule,
};
const PERHAPS_OF_AN_ENTRY = 'players_gap reachability client network hidden_by ban not_reached reports'.split(
  ' ',
);
const matches = { ...COUNT, description: 'How many entries it matches now.' };

const server = { id: ID, host: TEXT, name: TEXT, port: COUNT, ip: TEXT };
/** It has the id alone if the entry was not listed any more. */
const SERVER = object(server, ['host', 'name', 'port', 'ip']);

const reported = {
  count: { ...COUNT, description: 'How many networks reported it within a week.' },
  reasons: { type: 'object', additionalProperties: COUNT, description: 'How many of them for which reason.' },
  latest_at: TIME,
  notes: arrayOf(object({ note: TEXT, at: TIME })),
};

const neighbours = object({
  count: COUNT,
  servers: { ...arrayOf(object({ ...server, shown: BOOLEAN })), description: 'The first 20 of them.' },
});

/** `listed`: the properties of a server in lists, and those of them that may be missing. */
export function moderationSchemas(
  listed: Readonly<Record<string, Schema>>,
  optional: readonly string[],
): Readonly<
  Record<
    | 'Ban'
    | 'NewBan'
    | 'Bans'
    | 'Label'
    | 'NewLabel'
    | 'Labels'
    | 'Preview'
    | 'Audit'
    | 'AuditLine'
    | 'Entry'
    | 'Entries'
    | 'OneEntry'
    | 'Reports'
    | 'Me',
    Schema
  >
> {
  return {
    Ban: object(ban, PATTERNS_AND_END),
    NewBan: object({ status: SUCCESS, ...ban, matches }, PATTERNS_AND_END),
    Bans: object({ status: SUCCESS, bans: arrayOf(reference('Ban')), count: COUNT }),
    Label: object(label, ['reason', ...PATTERNS_AND_END]),
    NewLabel: object({ status: SUCCESS, ...label, matches }, ['reason', ...PATTERNS_AND_END]),
    Labels: object({ status: SUCCESS, labels: arrayOf(reference('Label')), count: COUNT }),
    Preview: object(
      {
        status: SUCCESS,
        matches,
        shown: { ...COUNT, description: 'How many of them no ban hides yet.' },
        networks: {
          ...COUNT,
          description: 'From how many networks, /24 or /48 of IPv6, they were broadcast.',
        },
        other_networks: {
          ...COUNT,
          description: 'How many of them are not of the network of the entry `of`.',
        },
        servers: {
          ...arrayOf(object({ id: ID, name: TEXT, host: TEXT })),
          description: 'The first 20 of them.',
        },
      },
      ['other_networks'],
    ),
    AuditLine: object(
      {
        at: TIME,
        author: { ...TEXT, description: 'What the request says; empty for GSLS itself.' },
        from: { ...TEXT, description: 'The address of the client, as far as it may be kept.' },
        key: { ...TEXT, description: 'The name of the key, if it has one.' },
        action: {
          type: 'string',
          enum: [
            'ban_added',
            'ban_removed',
            'ban_expired',
            'label_added',
            'label_removed',
            'label_expired',
            'server_removed',
            'reports_dismissed',
          ],
        },
        in_force: { ...BOOLEAN, description: 'Whether the ban or the label holds now.' },
        ban: reference('Ban'),
        label: reference('Label'),
        server: SERVER,
      },
      ['from', 'key', 'in_force', 'ban', 'label', 'server'],
    ),
    Audit: object({
      status: SUCCESS,
      audit: { ...arrayOf(reference('AuditLine')), description: 'The latest first.' },
    }),
    Entry: object(
      {
        ...listed,
        claimed: { ...BOOLEAN, description: 'Whether it answers to its server token only.' },
        players_gap: {
          type: 'integer',
          description: 'How many more players it says, as `players`, than were seen.',
        },
        reachability: { ...TEXT, description: 'What came of the last attempt to reach it.' },
        client: { ...TEXT, description: 'The address of the client that broadcast it.' },
        network: { ...TEXT, description: 'The network of that address: /24, or /48 of IPv6.' },
        shown: { ...BOOLEAN, description: 'Whether the list shows it.' },
        hidden_by: { ...TEXT, description: 'Why not: `ban`, `unlisted` or `unreached`.' },
        ban: { ...ID, description: 'The ban that hides it.' },
        not_reached: {
          ...TEXT,
          description:
            'Why it does not count as reached: what came of the last attempt, or why there is none.',
        },
        refusals: {
          ...arrayOf(object({ code: TEXT, count: COUNT, at: TIME })),
          description: 'What this replica has refused to its client of late.',
        },
        reports: { ...object(reported), description: 'What readers reported of it.' },
      },
      [...optional, ...PERHAPS_OF_AN_ENTRY],
    ),
    Entries: object(
      {
        status: SUCCESS,
        servers: arrayOf(reference('Entry')),
        count: { ...COUNT, description: 'Of all entries.' },
        total: { ...COUNT, description: 'Of those that match.' },
        cursor: { ...TEXT, description: 'Leads to the next page; the last one has none.' },
      },
      ['cursor'],
    ),
    OneEntry: object({
      status: SUCCESS,
      server: reference('Entry'),
      said: {
        ...arrayOf(object({ at: TIME, name: TEXT, host: TEXT, ip: TEXT, port: COUNT, max_players: COUNT })),
        description: 'What it said before, each until when: within an hour, as far as this replica heard it.',
      },
      neighbours: {
        ...object({ network: neighbours, host: neighbours, name: neighbours }),
        description: 'The other entries of the same network, with the same host, and with the same name.',
      },
      audit: arrayOf(reference('AuditLine')),
    }),
    Reports: object({
      status: SUCCESS,
      reports: {
        ...arrayOf(object({ server: SERVER, ban: ID, ...reported }, ['ban'])),
        description: 'The most reported first.',
      },
      count: COUNT,
    }),
    Me: object(
      {
        status: SUCCESS,
        moderator: { ...TEXT, description: 'The moderator whom a proxy has signed in.' },
        labels: { ...arrayOf(TEXT), description: 'The labels that may be given.' },
        reasons: { ...arrayOf(TEXT), description: 'The reasons of reports; none if there are no reports.' },
        reports_hide: { ...COUNT, description: 'From how many networks on reports hide an entry.' },
        verify: { ...TEXT, description: 'How game servers are probed.' },
      },
      ['moderator', 'reports_hide', 'verify'],
    ),
  };
}
