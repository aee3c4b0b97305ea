/** The rows of the dashboard about what clients do and get. */

import type { Row } from './grafana.ts';
import { OF, quantile, rate, REQUESTS } from './queries.ts';

export const TRAFFIC: Row = {
  title: 'Traffic',
  panels: [
    {
      title: 'Requests',
      description: 'By route. Streams are counted below.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate(`${REQUESTS}_count`, 'route'), '{{route}}']],
    },
    {
      title: 'Errors',
      description:
        'Requests that were answered with an error, by its code. docs/reference/errors.md lists the codes.',
      unit: 'reqps',
      stacked: true,
      queries: [[`${rate('gsls_refused_total', 'code')} > 0`, '{{code}}']],
    },
    {
      title: 'Writes',
      description:
        'Broadcasts, pings and removes. Refused: a mistake of the client, or a limit. Failed: 500 or 503.',
      unit: 'reqps',
      queries: [[rate('gsls_writes_total', 'operation, outcome'), '{{operation}} {{outcome}}']],
    },
    {
      title: 'Duration: half of the requests',
      description: 'Half of the requests of a route were answered within this time.',
      unit: 's',
      queries: [[quantile(0.5, REQUESTS, 'route'), '{{route}}']],
    },
    {
      title: 'Duration: 99 % of the requests',
      description: 'All but one of a hundred requests of a route were answered within this time.',
      unit: 's',
      red: 0.5,
      queries: [[quantile(0.99, REQUESTS, 'route'), '{{route}}']],
    },
    {
      title: 'Bytes sent',
      description:
        'Bodies of answers, by their encoding. Clients that take gzip, and that send If-None-Match, cost far less.',
      unit: 'Bps',
      stacked: true,
      queries: [[rate('gsls_http_response_bytes_total', 'encoding'), '{{encoding}}']],
    },
    {
      title: 'Rate limited',
      description: 'Requests that --rate-limit refused, by kind.',
      unit: 'reqps',
      queries: [[rate('gsls_rate_limited_total', 'kind'), '{{kind}}']],
    },
    {
      title: 'Load shedding',
      description:
        'How many replicas refuse a kind of request at the moment, because they have too much to do.',
      red: 1,
      queries: [[`sum by (kind) (gsls_load_shedding{${OF}})`, '{{kind}}']],
    },
    {
      title: 'Connections',
      description:
        'Open connections of clients and load balancers, and those that were cut off or closed at once.',
      queries: [
        [`sum by (instance) (gsls_open_connections{${OF}})`, 'open {{instance}}'],
        [`${rate('gsls_cut_off_total', 'reason')} > 0`, 'cut off a second: {{reason}}'],
        [`${rate('gsls_connections_closed_total', 'limit')} > 0`, 'closed a second: limit {{limit}}'],
      ],
    },
  ],
};

export const LIST: Row = {
  title: 'List',
  panels: [
    {
      title: 'Game servers',
      description:
        'In the list of each replica: the curves lie on each other. The limit is --max-servers, if there is one.',
      queries: [
        [`gsls_game_servers{${OF}}`, '{{registry}} {{instance}}'],
        [`max(gsls_max_game_servers{${OF}}) > 0`, 'limit'],
      ],
    },
    {
      title: 'Players',
      description: 'On all listed game servers, as they say.',
      queries: [[`gsls_players{${OF}}`, '{{registry}} {{instance}}']],
    },
    {
      title: 'Coming and going',
      description:
        'Game servers a second. Expired: stopped pinging. Revived: pinged again after that. Restored: written back because Redis had lost them, which should not happen.',
      unit: 'cps',
      queries: [
        [rate('gsls_writes_total', '', 'operation="broadcast", outcome="success"'), 'broadcast'],
        [rate('gsls_writes_total', '', 'operation="remove", outcome="success"'), 'removed'],
        [rate('gsls_expired_total'), 'expired'],
        [rate('gsls_revived_total'), 'revived'],
        [rate('gsls_restored_total'), 'restored'],
      ],
    },
    {
      title: 'Origins of mirrors',
      description:
        'How old what a mirror lists of each origin is; 0 while it is current. GET /health of the mirror says why.',
      unit: 's',
      red: 1,
      queries: [[`max by (origin) (gsls_origin_stale_seconds{${OF}})`, '{{origin}}']],
    },
    {
      title: 'Size of the list',
      description: 'Of the list that was made last, by its encoding.',
      unit: 'bytes',
      queries: [[`max by (encoding) (gsls_list_bytes{${OF}})`, '{{encoding}}']],
    },
    {
      title: 'Making the list: 99 %',
      description: 'All but one of a hundred changed lists were made, or compressed, within this time.',
      unit: 's',
      queries: [[quantile(0.99, 'gsls_list_render_duration_seconds', 'encoding'), '{{encoding}}']],
    },
    {
      title: 'Queries',
      description: 'Queries of GET /servers and its like. Kept: their matches were known from before.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('gsls_queries_total', 'matches'), '{{matches}}']],
    },
    {
      title: 'Work for readers',
      description:
        'The part of a core that goes into answers that have to be made, and what was refused as it would wait too long.',
      queries: [
        [rate('gsls_work_seconds_total', 'instance'), '{{instance}}'],
        [`${rate('gsls_work_refused_total', 'reason')} > 0`, 'refused a second: {{reason}}'],
      ],
    },
    {
      title: 'Streams',
      description: 'Clients that follow the list by a stream.',
      queries: [
        [`gsls_streams{${OF}}`, '{{registry}} {{instance}}'],
        [`${rate('gsls_streams_cut_off_total', 'reason')} > 0`, 'cut off a second: {{reason}}'],
      ],
    },
    {
      title: 'Events in streams',
      description: 'Events that were sent in streams, and the bytes that wait for slow clients.',
      unit: 'cps',
      queries: [[rate('gsls_stream_events_total', 'instance'), '{{instance}}']],
    },
    {
      title: 'Probes and bans',
      description: 'Attempts to reach game servers (--verify) a second, by outcome, and the bans in force.',
      queries: [
        [`${rate('gsls_probes_total', 'outcome')} > 0`, '{{outcome}}'],
        [`max(gsls_bans{${OF}})`, 'bans'],
      ],
    },
  ],
};
