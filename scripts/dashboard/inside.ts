/** The rows of the dashboard about what is behind the answers. */

import type { Row } from './grafana.ts';
import { OF, quantile, rate } from './queries.ts';

export const REDIS: Row = {
  title: 'Redis',
  panels: [
    {
      title: 'Connected replicas',
      description: 'Replicas with a connection to Redis, and those whose circuit breaker is open.',
      queries: [
        [`sum(gsls_redis_up{${OF}})`, 'connected'],
        [`sum(gsls_redis_breaker_open{${OF}})`, 'breaker open'],
      ],
    },
    {
      title: 'Duration of scripts: 99 %',
      description:
        'All but one of a hundred calls of a script were answered within this time, network included.',
      unit: 's',
      red: 0.1,
      queries: [[quantile(0.99, 'gsls_redis_call_duration_seconds', 'script'), '{{script}}']],
    },
    {
      title: 'Calls of scripts',
      description: 'One call may carry many requests.',
      unit: 'ops',
      stacked: true,
      queries: [[`${rate('gsls_redis_call_duration_seconds_count', 'script')} > 0`, '{{script}}']],
    },
    {
      title: 'Errors of Redis',
      description: 'Calls that failed, and attempts to connect, by kind.',
      unit: 'ops',
      queries: [[rate('gsls_redis_errors_total', 'kind'), '{{kind}}']],
    },
    {
      title: 'Clock',
      description:
        'How far the clock of each replica is ahead of that of Redis, as far as is sure. Answers are dated by the clock of the replica.',
      unit: 's',
      queries: [[`gsls_clock_offset_seconds{${OF}}`, '{{instance}}']],
    },
    {
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

export const PROCESS: Row = {
  title: 'Process',
  panels: [
    {
      title: 'CPU',
      description: 'Of one core. The event loop has one; garbage collection and compression can take more.',
      unit: 'percentunit',
      orange: 0.6,
      red: 0.9,
      queries: [[rate('process_cpu_seconds_total', 'instance'), '{{instance}}']],
    },
    {
      title: 'Memory',
      description: 'Resident memory of the process, and what of it is the heap of JavaScript.',
      unit: 'bytes',
      queries: [
        [`process_resident_memory_bytes{${OF}}`, '{{instance}}'],
        [`nodejs_heap_size_used_bytes{${OF}}`, 'heap {{instance}}'],
      ],
    },
    {
      title: 'Delay of the event loop',
      description: 'How long each request waits for its turn. From 0.5 s on the replica sheds load.',
      unit: 's',
      orange: 0.2,
      red: 0.5,
      queries: [[`gsls_event_loop_delay_seconds{${OF}}`, '{{instance}}']],
    },
    {
      title: 'Garbage collection',
      description: 'The share of the time that a process stood still for it.',
      unit: 'percentunit',
      queries: [[rate('nodejs_gc_duration_seconds_sum', 'instance'), '{{instance}}']],
    },
    {
      title: 'Bytes that wait',
      description: 'In memory, for slow readers of answers and of streams. --max-waiting limits each.',
      unit: 'bytes',
      stacked: true,
      queries: [
        [`gsls_waiting_bytes{${OF}}`, 'answers {{instance}}'],
        [`gsls_stream_waiting_bytes{${OF}}`, 'streams {{registry}} {{instance}}'],
      ],
    },
    {
      title: 'Versions, data file, log',
      description:
        'How many replicas run each version. The data file: 1 while it can be written. Dropped lines of the log should be 0.',
      queries: [
        [`count by (version, node) (gsls_build_info{${OF}})`, 'GSLS {{version}}, Node {{node}}'],
        [`gsls_data_file_writable{${OF}}`, 'data file {{registry}} {{instance}}'],
        [rate('gsls_log_lines_dropped_total'), 'dropped lines a second'],
      ],
    },
  ],
};
