/**
 * A program against the types that openapi-typescript makes of the description of the API, `gsls.ts` beside it. The
 * test makes them, checks this file by them, and runs it: it prints what it was told. It is no part of the project's
 * own check.
 */

import createClient from 'openapi-fetch';
import type { components, paths } from './gsls.ts';

type ListedServer = components['schemas']['ListedServer'];

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${key}` },
  // As the description says: alternatives with commas, further filters as they are.
  querySerializer: {
    array: { style: 'form', explode: false },
    object: { style: 'form', explode: true },
  },
});

const gameServer = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: 'auto',
  players: 3,
  max_players: 16,
};

const broadcast = await client.POST('/broadcast', {
  params: { header: { 'Server-Token': 'claim' } },
  body: { ...gameServer, map: 'de_dust2', tags: ['ranked'] },
});
if (broadcast.data === undefined) throw new Error(broadcast.error.code);
const { server_id } = broadcast.data;
const token = broadcast.response.headers.get('Server-Token') ?? '';

const ping = await client.POST('/ping', {
  params: { header: { 'Server-Token': token } },
  body: { ...gameServer, server_id, players: 5 },
});

const page = await client.GET('/servers', {
  params: {
    query: {
      map: ['de_*', 'cs_office'],
      players: ['1..'],
      further: { 'mode!': 'casual' },
      sort: '-players',
      limit: 10,
    },
  },
});
const names = (page.data?.servers ?? []).map((server: ListedServer): string => server.name);

const refused = await client.POST('/remove', { body: { server_id, server_ip: '198.51.100.1' } });
const code: 'not_owner' | 'ip_mismatch' | 'other' =
  refused.error?.code === 'not_owner' || refused.error?.code === 'ip_mismatch' ? refused.error.code : 'other';

const changes = await client.GET('/changes', { params: { query: { since: 'none' } }, parseAs: 'json' });
const health = await client.GET('/health');

// @ts-expect-error a field is missing
void (() => client.POST('/remove', { body: { server_id } }));
// @ts-expect-error there is no such path
void (() => client.GET('/nowhere'));
// @ts-expect-error a number is no port in text
void (() => client.POST('/broadcast', { body: { ...gameServer, server_port: '7777' } }));
// @ts-expect-error there is no such code
void (refused.error?.code === 'no_such_code');

console.log(
  JSON.stringify({
    pinged: ping.data?.status,
    total: page.data?.total,
    names,
    code,
    changes: typeof changes.data,
    listed: health.data?.server_count,
  }),
);
