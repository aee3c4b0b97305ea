/** The results of `npm run bench` for people, in Markdown. */

import type { Spread } from '../support/median.ts';
import { markdownTable } from '../support/table.ts';
import type { FeedLine, Results } from './results.ts';

export function printTable({ machine, rounds, seconds, rows, extras, feed }: Results): string {
  const requests = rows.map((row) => [
    row.name,
    String(row.count),
    row.subject,
    withSpread(row.requestsPerSecond, row.spread.requestsPerSecond, 0),
    fixed(row.p50Ms, 3),
    fixed(row.p99Ms, 2),
    withSpread(row.cpuUs, row.spread.cpuUs, 1),
    row.redisCpuUs === 0 ? '' : fixed(row.redisCpuUs, 1),
    fixed(row.ratio.requestsPerSecond, 2),
    fixed(row.ratio.p50, 2),
    fixed(row.ratio.p99, 2),
    fixed(row.ratio.cpu, 2),
    row.errors === 0 ? '' : `${row.errors} errors`,
  ]);
  const head = [
    'case',
    'servers',
    'subject',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs/req',
    'Redis µs/req',
    '× req/s',
    '× p50',
    '× p99',
    '× CPU',
    '',
  ];
  const others = extras.map((each) => [
    each.name,
    String(each.count),
    `${each.value.toFixed(1)} ${each.unit}`,
  ]);
  return [
    `${machine.cores} cores (${machine.cpus}), ${machine.memoryGiB} GiB, Node ${machine.node}, wrk; ` +
      `medians (least..most) of ${rounds} rounds of ${seconds} s; × is the ratio to the floor of the same case`,
    '',
    ...(requests.length > 0 ? markdownTable(head, requests) : []),
    '',
    ...(others.length > 0 ? markdownTable(['', 'servers', 'measured'], others) : []),
    '',
    ...feed.flatMap((line) => [...feedTable(line), '']),
  ].join('\n');
}

function feedTable({ listsPerSecond, replicas, changesPerSecond, points }: FeedLine): string[] {
  const readers = listsPerSecond === 0 ? 'no readers' : `${listsPerSecond} lists/s of each replica`;
  const head = [`% of a core of Redis, ${readers}`, ...changesPerSecond.map((count) => `${count} changes/s`)];
  const rows = replicas.map((count, i) => [
    count === 1 ? '1 replica' : `${count} replicas`,
    ...points[i]!.map(
      ({ cpuShare, changesPerSecond: reached }) =>
        `${(100 * cpuShare).toFixed(1)} (at ${reached.toFixed(0)})`,
    ),
  ]);
  return markdownTable(head, rows);
}

/** Nothing beside a single round. */
function withSpread(value: number, { min, max }: Spread, digits: number): string {
  return min === max
    ? fixed(value, digits)
    : `${fixed(value, digits)} (${fixed(min, digits)}..${fixed(max, digits)})`;
}

/** Nothing where nothing was answered. */
function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '–';
}
