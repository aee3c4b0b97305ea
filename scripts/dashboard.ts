/**
 * The dashboard of GSLS. `npm run dashboard` writes deploy/grafana/gsls.json, which Grafana imports; tests hold the file
 * to this one, and its queries to the metrics.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, type Options } from 'prettier';
import { createDashboard, type Row } from './grafana.ts';

const FILE = fileURLToPath(new URL('../deploy/grafana/gsls.json', import.meta.url));

/** The replicas that are chosen. */
const OF = 'job="$job", instance=~"$instance"';

/** How many a second, by a label. `labels` narrow it. */
function rate(metric: string, by = '', labels = ''): string {
  const which = labels === '' ? OF : `${OF}, ${labels}`;
  return `sum by (${by}) (rate(${metric}{${which}}[$__rate_interval]))`;
}

/** The duration that this share of all stays below, by a label. */
function quantile(share: number, histogram: string, by: string, labels = ''): string {
  return `histogram_quantile(${share}, ${rate(`${histogram}_bucket`, `le, ${by}`, labels)})`;
}

const REQUESTS = 'gsls_http_request_duration_seconds';
const FIRING = 'ALERTS{alertname=~"Gsls.+", alertstate="firing", job="$job"}';
const FAILED = 'status=~"500|503", route!="/health"';

const US_OR_THE_NETWORK: Row = {
  title: 'Is it us or the network?',
  width: 3,
  height: 5,
  panels: [
    {
      kind: 'stat',
      title: 'Replicas that answer',
      description:
        'Replicas that Prometheus reaches, of those it knows. Fewer: look at the replica, or at the network of Prometheus.',
      redBelow: 1,
      queries: [
        [`sum(up{${OF}})`, 'answer'],
        [`count(up{${OF}})`, 'known'],
      ],
    },
    {
      kind: 'stat',
      title: 'Registry',
      description:
        'Whether each replica reaches its registry. With a registry in memory always. Away: it is Redis, or the network to it. Lists are served meanwhile, and writes get 503.',
      redBelow: 1,
      words: { 0: 'away', 1: 'available' },
      queries: [[`min(gsls_registry_available{${OF}})`, 'registry']],
    },
    {
      kind: 'stat',
      title: 'Age of the list',
      description: 'Of the oldest list that a replica serves; 0 while it is current.',
      unit: 's',
      orange: 1,
      red: 5,
      queries: [[`max(gsls_list_stale_seconds{${OF}})`, 'age']],
    },
    {
      kind: 'stat',
      title: 'Circuit breaker',
      description: 'Open: a replica asks Redis nothing but whether it is back.',
      red: 1,
      words: { 0: 'closed', 1: 'open' },
      without: 'no Redis',
      queries: [[`max(gsls_redis_breaker_open{${OF}})`, 'breaker']],
    },
    {
      kind: 'stat',
      title: 'Mass expiry held',
      description:
        'Game servers that stopped pinging together, and stay listed for now. Not 0: most likely it is the network between the game servers and GSLS, or their own.',
      red: 1,
      words: { 0: 'none' },
      queries: [[`max(gsls_mass_silence_game_servers{${OF}})`, 'game servers']],
    },
    {
      kind: 'stat',
      title: 'Failed requests',
      description:
        'The share of requests that were answered with 500 or 503: these are our faults. Health checks are left out.',
      unit: 'percentunit',
      orange: 0.001,
      red: 0.05,
      without: '0 %',
      queries: [
        [
          `${rate(`${REQUESTS}_count`, '', FAILED)} / ${rate(`${REQUESTS}_count`, '', 'route!="/health"')}`,
          'failed',
        ],
      ],
    },
    {
      kind: 'stat',
      title: 'Pings: 99 %',
      description:
        'All but one of a hundred pings were answered within this time, from their arrival to the answer.',
      unit: 's',
      orange: 0.1,
      red: 0.5,
      without: 'no pings',
      queries: [[quantile(0.99, REQUESTS, 'route', 'route="/ping"'), 'pings']],
    },
    {
      kind: 'stat',
      title: 'Firing alerts',
      description:
        'Those of deploy/prometheus/alerts.yml. docs/reference/alerts.md says what to do about each.',
      red: 1,
      words: { 0: 'none' },
      queries: [[`count(${FIRING}) or vector(0)`, 'alerts']],
    },
    {
      kind: 'states',
      width: 15,
      title: 'Alerts that fired',
      description: 'Which alert fired when. No data is good news.',
      red: 1,
      queries: [[`count by (alertname) (${FIRING})`, '{{alertname}}']],
    },
    {
      kind: 'text',
      width: 9,
      title: 'How to read this row',
      text: 'All is green, and players miss game servers: look at **the network** between players and GSLS. **Mass expiry held**: the network between game servers and GSLS. **Registry** or **circuit breaker** is red: Redis, or the network to it. **Failed requests** or **pings** alone: the load, below.',
    },
  ],
};

const TRAFFIC: Row = {
  title: 'Traffic',
  width: 8,
  height: 8,
  panels: [
    {
      kind: 'curves',
      title: 'Requests',
      description: 'By route. Streams are counted below.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate(`${REQUESTS}_count`, 'route'), '{{route}}']],
    },
    {
      kind: 'curves',
      title: 'Errors',
      description:
        'Requests that were answered with an error, by its code. docs/reference/errors.md lists the codes.',
      unit: 'reqps',
      stacked: true,
      queries: [[`${rate('gsls_refused_total', 'code')} > 0`, '{{code}}']],
    },
    {
      kind: 'curves',
      title: 'Writes',
      description:
        'Broadcasts, pings and removes. Refused: a mistake of the client, or a limit. Failed: 500 or 503.',
      unit: 'reqps',
      queries: [[rate('gsls_writes_total', 'operation, outcome'), '{{operation}} {{outcome}}']],
    },
    {
      kind: 'curves',
      title: 'Duration: half of the requests',
      description: 'Half of the requests of a route were answered within this time.',
      unit: 's',
      queries: [[quantile(0.5, REQUESTS, 'route'), '{{route}}']],
    },
    {
      kind: 'curves',
      title: 'Duration: 99 % of the requests',
      description: 'All but one of a hundred requests of a route were answered within this time.',
      unit: 's',
      red: 0.5,
      queries: [[quantile(0.99, REQUESTS, 'route'), '{{route}}']],
    },
    {
      kind: 'curves',
      title: 'Bytes sent',
      description:
        'Bodies of answers, by their encoding. Clients that take gzip, and that send If-None-Match, cost far less.',
      unit: 'Bps',
      stacked: true,
      queries: [[rate('gsls_http_response_bytes_total', 'encoding'), '{{encoding}}']],
    },
    {
      kind: 'curves',
      title: 'Rate limited',
      description: 'Requests that --rate-limit refused, by kind.',
      unit: 'reqps',
      queries: [[rate('gsls_rate_limited_total', 'kind'), '{{kind}}']],
    },
    {
      kind: 'curves',
      title: 'Load shedding',
      description:
        'How many replicas refuse a kind of request at the moment, because they have too much to do.',
      red: 1,
      queries: [[`sum by (kind) (gsls_load_shedding{${OF}})`, '{{kind}}']],
    },
    {
      kind: 'curves',
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

const LIST: Row = {
  title: 'List',
  width: 8,
  height: 8,
  panels: [
    {
      kind: 'curves',
      title: 'Game servers',
      description:
        'In the list of each replica: the curves lie on each other. The limit is --max-servers, if there is one.',
      queries: [
        [`gsls_game_servers{${OF}}`, '{{instance}}'],
        [`max(gsls_max_game_servers{${OF}}) > 0`, 'limit'],
      ],
    },
    {
      kind: 'curves',
      title: 'Players',
      description: 'On all listed game servers, as they say.',
      queries: [[`gsls_players{${OF}}`, '{{instance}}']],
    },
    {
      kind: 'curves',
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
      kind: 'curves',
      title: 'Size of the list',
      description: 'Of the list that was made last, by its encoding.',
      unit: 'bytes',
      queries: [[`max by (encoding) (gsls_list_bytes{${OF}})`, '{{encoding}}']],
    },
    {
      kind: 'curves',
      title: 'Making the list: 99 %',
      description: 'All but one of a hundred changed lists were made, or compressed, within this time.',
      unit: 's',
      queries: [[quantile(0.99, 'gsls_list_render_duration_seconds', 'encoding'), '{{encoding}}']],
    },
    {
      kind: 'curves',
      title: 'Queries',
      description: 'Queries of GET /servers and its like. Kept: their matches were known from before.',
      unit: 'reqps',
      stacked: true,
      queries: [[rate('gsls_queries_total', 'matches'), '{{matches}}']],
    },
    {
      kind: 'curves',
      title: 'Work for readers',
      description:
        'The part of a core that goes into answers that have to be made, and what was refused as it would wait too long.',
      queries: [
        [rate('gsls_work_seconds_total', 'instance'), '{{instance}}'],
        [`${rate('gsls_work_refused_total', 'reason')} > 0`, 'refused a second: {{reason}}'],
      ],
    },
    {
      kind: 'curves',
      title: 'Streams',
      description: 'Clients that follow the list by a stream.',
      queries: [
        [`gsls_streams{${OF}}`, '{{instance}}'],
        [`${rate('gsls_streams_cut_off_total', 'reason')} > 0`, 'cut off a second: {{reason}}'],
      ],
    },
    {
      kind: 'curves',
      title: 'Events in streams',
      description: 'Events that were sent in streams, and the bytes that wait for slow clients.',
      unit: 'cps',
      queries: [[rate('gsls_stream_events_total', 'instance'), '{{instance}}']],
    },
    {
      kind: 'curves',
      title: 'Probes and bans',
      description: 'Attempts to reach game servers (--verify) a second, by outcome, and the bans in force.',
      queries: [
        [`${rate('gsls_probes_total', 'outcome')} > 0`, '{{outcome}}'],
        [`max(gsls_bans{${OF}})`, 'bans'],
      ],
    },
  ],
};

const REDIS: Row = {
  title: 'Redis',
  width: 8,
  height: 8,
  panels: [
    {
      kind: 'curves',
      title: 'Connected replicas',
      description: 'Replicas with a connection to Redis, and those whose circuit breaker is open.',
      queries: [
        [`sum(gsls_redis_up{${OF}})`, 'connected'],
        [`sum(gsls_redis_breaker_open{${OF}})`, 'breaker open'],
      ],
    },
    {
      kind: 'curves',
      title: 'Duration of scripts: 99 %',
      description:
        'All but one of a hundred calls of a script were answered within this time, network included.',
      unit: 's',
      red: 0.1,
      queries: [[quantile(0.99, 'gsls_redis_call_duration_seconds', 'script'), '{{script}}']],
    },
    {
      kind: 'curves',
      title: 'Calls of scripts',
      description: 'One call may carry many requests.',
      unit: 'ops',
      stacked: true,
      queries: [[`${rate('gsls_redis_call_duration_seconds_count', 'script')} > 0`, '{{script}}']],
    },
    {
      kind: 'curves',
      title: 'Errors of Redis',
      description: 'Calls that failed, and attempts to connect, by kind.',
      unit: 'ops',
      queries: [[rate('gsls_redis_errors_total', 'kind'), '{{kind}}']],
    },
    {
      kind: 'curves',
      title: 'Feed',
      description:
        'Polls of the feed, the reads of the list that they confirmed, and the changes that they told.',
      unit: 'ops',
      queries: [
        [rate('gsls_feed_polls_total'), 'polls'],
        [rate('gsls_feed_reads_total'), 'reads'],
        [rate('gsls_feed_changes_total'), 'changes'],
      ],
    },
    {
      kind: 'curves',
      title: 'Reads per poll, and reloads',
      description:
        'How many reads of the list one poll of Redis confirms: the more, the less Redis has to do. Reloads: Redis had another history, which should not happen.',
      queries: [
        [`${rate('gsls_feed_reads_total')} / ${rate('gsls_feed_polls_total')}`, 'reads per poll'],
        [
          `sum by (reason) (increase(gsls_reloads_total{${OF}}[$__rate_interval])) > 0`,
          'reloads: {{reason}}',
        ],
      ],
    },
  ],
};

const PROCESS: Row = {
  title: 'Process',
  width: 8,
  height: 8,
  panels: [
    {
      kind: 'curves',
      title: 'CPU',
      description: 'Of one core. The event loop has one; garbage collection and compression can take more.',
      unit: 'percentunit',
      orange: 0.6,
      red: 0.9,
      queries: [[rate('process_cpu_seconds_total', 'instance'), '{{instance}}']],
    },
    {
      kind: 'curves',
      title: 'Memory',
      description: 'Resident memory of the process, and what of it is the heap of JavaScript.',
      unit: 'bytes',
      queries: [
        [`process_resident_memory_bytes{${OF}}`, '{{instance}}'],
        [`nodejs_heap_size_used_bytes{${OF}}`, 'heap {{instance}}'],
      ],
    },
    {
      kind: 'curves',
      title: 'Delay of the event loop',
      description: 'How long each request waits for its turn. From 0.5 s on the replica sheds load.',
      unit: 's',
      orange: 0.2,
      red: 0.5,
      queries: [[`gsls_event_loop_delay_seconds{${OF}}`, '{{instance}}']],
    },
    {
      kind: 'curves',
      title: 'Garbage collection',
      description: 'The share of the time that a process stood still for it.',
      unit: 'percentunit',
      queries: [[rate('nodejs_gc_duration_seconds_sum', 'instance'), '{{instance}}']],
    },
    {
      kind: 'curves',
      title: 'Bytes that wait',
      description: 'In memory, for slow readers of answers and of streams. --max-waiting limits each.',
      unit: 'bytes',
      stacked: true,
      queries: [
        [`gsls_waiting_bytes{${OF}}`, 'answers {{instance}}'],
        [`gsls_stream_waiting_bytes{${OF}}`, 'streams {{instance}}'],
      ],
    },
    {
      kind: 'curves',
      title: 'Versions, data file, log',
      description:
        'How many replicas run each version. The data file: 1 while it can be written. Dropped lines of the log should be 0.',
      queries: [
        [`count by (version, node) (gsls_build_info{${OF}})`, 'GSLS {{version}}, Node {{node}}'],
        [`gsls_data_file_writable{${OF}}`, 'data file {{instance}}'],
        [rate('gsls_log_lines_dropped_total'), 'dropped lines a second'],
      ],
    },
  ],
};

/** The text of the file. */
export async function renderDashboard(): Promise<string> {
  const dashboard = createDashboard({
    uid: 'gsls',
    title: 'GSLS',
    description:
      'The Game Server Listing Service: whether it is us or the network, then traffic, list, Redis and process.',
    chosenBy: 'gsls_build_info',
    rows: [US_OR_THE_NETWORK, TRAFFIC, LIST, REDIS, PROCESS],
  });
  const style = JSON.parse(readFileSync(new URL('../.prettierrc.json', import.meta.url), 'utf8')) as Options;
  return format(JSON.stringify(dashboard), { ...style, parser: 'json' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(FILE, await renderDashboard());
